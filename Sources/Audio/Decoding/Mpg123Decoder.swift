import Platform

/// MPEG audio (MP3, MP2, MP1) through libmpg123: encoder delay and padding are cut off, length and seeks are exact.
final class Mpg123Decoder: Decoder {
  let format: SourceFormat
  let tags: Tags
  private let file: AudioFile
  private let handle: Mpg123
  private var at: Int64 = 0
  private var isOver = false
  /// No seek goes behind this: the length, or what is guessed where it could not be measured.
  private let last: Int64
  /// What the file says it holds, until it was told that it does not.
  private var promise: Int64?
  private var complaints = Complaints()

  /// Reads the whole file through once, without decoding it; a file for which that takes too long has no known length.
  init(_ file: AudioFile) throws(AudioError) {
    guard let handle = Mpg123(file) else { throw .hasNoMemory(file.name) }
    guard let layout = handle.layout() else { throw .hasNoSound(file.name) }
    promise = Content.hasMPEGLength(file) ? handle.length : nil
    let isScanned = handle.scan(within: .waiting(.milliseconds(1500)))
    // Left wherever patience ended.
    if !isScanned { _ = handle.seek(to: 0, within: .usual) }
    let format = SourceFormat(
      rate: layout.rate, channels: layout.channels, frames: isScanned ? handle.length : nil, bits: nil)
    if format.isAbsurd { throw .isAbsurd(file.name, format.channels, format.rate) }
    handle.fix(rate: layout.rate, channels: layout.channels)
    (self.file, self.handle, self.format, tags) = (file, handle, format, handle.tags)
    last = handle.length ?? .max
    try start()
    if let frames = format.frames { compareWithPromise(frames) }
  }

  var position: Int64? { at }

  func takeComplaint() -> String? { complaints.take() }

  func read(into samples: UnsafeMutableBufferPointer<Float>) throws(AudioError) -> Int {
    let whole = samples.count / format.channels * format.channels
    guard whole > 0 else { return 0 }
    let room = UnsafeMutableBufferPointer(rebasing: samples[..<whole])
    var failures = 0
    let patience = Patience.working(Mpg123Decoder.longestSearch)
    while !isOver {
      let (got, outcome) = handle.read(into: room, within: patience)
      switch outcome {
      case .good: break
      case .end:
        isOver = true
        compareWithPromise(at + Int64(got / format.channels))
      case .newFormat: checkLayout()
      case .failed:
        failures += 1
        if failures == 1 {
          complaints.add("“\(file.name.shown)” is damaged at \(format.clock(at)); copy it again")
        }
        if failures > 64 { isOver = true }
      case .gaveUp: giveUp()
      }
      let frames = got / format.channels
      if frames > 0 {
        at += Int64(frames)
        return frames
      }
    }
    return 0
  }

  func seek(toFrame frame: Int64) throws(AudioError) {
    let target = min(max(0, frame), last)
    isOver = false
    if target == last {
      (at, isOver) = (target, true)
    } else if let reached = seek(exactlyTo: target) {
      at = reached
    } else {
      at = target
      giveUp()
    }
  }

  /// As long as a hole of some 100 MB takes.
  private static let longestSearch = Duration.seconds(3)

  private func giveUp() {
    complaints.add("“\(file.name.shown)” cannot be played from \(format.clock(at)) on; copy it again")
    isOver = true
  }

  /// libmpg123 counts by the length of the frame it read last; where that was noise that looked like another kind of
  /// frame it lands elsewhere, until it has read a right one again.
  private func seek(exactlyTo target: Int64) -> Int64? {
    let patience = Patience.working(Mpg123Decoder.longestSearch)
    let reached = handle.seek(to: target, within: patience)
    if reached == target { return reached }
    guard handle.seek(to: 0, within: patience) != nil else { return reached }
    return handle.seek(to: target, within: patience)
  }

  /// Only the Xing, LAME and VBRI headers promise a length; it is right to the frame of MPEG, 1152 frames of sound.
  private func compareWithPromise(_ frames: Int64) {
    guard let promise, promise - frames > Int64(format.rate) / 20 else { return }
    complaints.add(
      "“\(file.name.shown)” is cut short or damaged: \(format.clock(frames)) of \(format.clock(promise)) are there; "
        + "copy it again")
    self.promise = nil
  }

  /// Two pieces of unlike rate glued together cannot be one track; unlike channels are brought together by libmpg123.
  private func checkLayout() {
    guard let layout = handle.layout(), layout.rate == format.rate, layout.channels == format.channels else {
      complaints.add(
        "“\(file.name.shown)” changes its sampling rate at \(format.clock(at)); what follows is left out: convert it, "
          + "e.g. to FLAC or Ogg")
      isOver = true
      return
    }
  }

  /// Refuses a file from which not one frame can be had.
  private func start() throws(AudioError) {
    let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 1152 * format.channels)
    defer { samples.deallocate() }
    if try read(into: samples) == 0 { throw .hasNoSound(file.name) }
    complaints = Complaints()
    try seek(toFrame: 0)
  }
}
