import CSndfile
import Platform

/// Everything but MP3, through libsndfile.
///
/// libsndfile ends a read alike at the end of the file and at damage: only what the file promised tells them apart.
final class SndfileDecoder: Decoder {
  let format: SourceFormat
  let tags: Tags
  private let file: AudioFile
  /// nil where nothing more can be had from the file.
  private var handle: Sndfile?
  /// The frame the next read begins at.
  private var at: Int64 = 0
  /// What the file says it holds, true or not; nil where it does not say.
  private let promise: Int64?
  /// No seek goes behind this: libsndfile looks long, or without end, for a frame that is not there.
  private let last: Int64
  private let isOgg: Bool
  private let flac: FLACFrames?
  /// How many bytes of a FLAC file belong to it: libFLAC looks without end for a frame in what stands behind.
  private let length: Int64?
  private let startOfLastPage: Int64
  /// Where each channel of a frame comes from, where the file has another order than WAVE.
  private let order: [Int]?
  private var complaints = Complaints()
  /// What the file was when it was opened.
  private let layout: SF_INFO

  /// Takes over a handle that nothing was read from; throws where the file has no sound or a format beyond reason.
  init(_ file: AudioFile, _ handle: Sndfile) throws(AudioError) {
    self.file = file
    self.handle = handle
    promise = handle.promise
    layout = handle.info
    let channels = Int(handle.info.channels)
    isOgg = handle.container == Int32(SF_FORMAT_OGG)
    startOfLastPage = isOgg ? OggPages.startOfLastPage(of: file) : 0
    order = isOgg ? SndfileDecoder.vorbisOrder(channels) : nil
    tags = handle.tags
    var format = SourceFormat(
      rate: Int(handle.info.samplerate), channels: channels, frames: handle.promise, bits: handle.bits)
    if format.isAbsurd { throw .isAbsurd(file.name, channels, format.rate) }
    flac = handle.container == Int32(SF_FORMAT_FLAC) ? FLACFrames(file) : nil
    let lastOfFLAC = flac?.end(within: .working(.milliseconds(750)))
    length = lastOfFLAC?.byte
    let end = lastOfFLAC?.frame ?? (isOgg ? OggPages.lastFrame(of: file) : nil)
    // A FLAC file that was cut short still promises its whole length; the others are measured as they are opened.
    if flac != nil, let promise, end != promise { format.frames = nil }
    self.format = format
    last = min(promise ?? end ?? .max, (isOgg ? nil : end) ?? .max)
    try start()
    if isOgg, OggPages.isChained(file) {
      complaints.add(
        "“\(file.name.shown)” holds several pieces one behind the other, of which only the first is played; split it, "
          + "or convert it, e.g. to FLAC")
    }
    if Truncation.isCutShort(file) {
      complaints.add(
        "“\(file.name.shown)” is cut short: it ends at \(format.clock(promise ?? 0)); copy it again")
    }
  }

  var position: Int64? { at }

  func takeComplaint() -> String? { complaints.take() }

  func read(into samples: UnsafeMutableBufferPointer<Float>) throws(AudioError) -> Int {
    let room = samples.count / format.channels
    guard room > 0 else { return 0 }
    while let handle {
      let wanted = min(Int64(room), (promise ?? .max) - at)
      let got = handle.read(into: samples, frames: Int(max(0, wanted)))
      if got > 0 {
        tidy(samples, frames: got)
        at += Int64(got)
        return got
      }
      if wanted <= 0 { return 0 }
      endOrDamage(handle)
    }
    return 0
  }

  func seek(toFrame frame: Int64) throws(AudioError) {
    let target = min(max(0, frame), max(last, 0))
    // A handle that failed once fails from then on.
    if handle == nil { handle = reopened() }
    at = target
    guard let current = handle, target < last else {
      handle = nil
      return
    }
    if target == 0 {
      handle = reopened()
    } else if !current.isSeekable {
      handle = reopened()
      decode(from: 0, to: target)
    } else if isOgg, target >= startOfLastPage {
      // libsndfile is off by what the last page was shortened by, if it is sent there: walk in from the one before.
      handle = reopened()
      let start = max(0, startOfLastPage - 1)
      decode(from: start == 0 ? 0 : handle?.seek(to: start) ?? 0, to: target)
    } else if let reached = current.seek(to: target) {
      at = reached
    } else if let flac {
      // Half a minute before where it should be, if the file is as dense everywhere.
      let share = Double(target) / Double(max(last, 1))
      let offset = length.map { Int64(share * Double($0)) - Int64(30 * format.rate) } ?? 0
      let patience = SndfileDecoder.patience
      goOn(
        behind: target - 1, at: FLACPlaces(flac, behind: target - 1, from: offset, within: patience),
        within: patience)
    } else {
      goOn(behind: target - 1, at: Doubling(from: target, to: last), within: SndfileDecoder.patience)
    }
  }

  /// A file full of holes must not keep a worker for long.
  private static var patience: Patience { .working(.milliseconds(750)) }

  /// The file from its start; nil where it is another one by now: what is there then does not fit what was made for it.
  private func reopened(within patience: Patience = .usual) -> Sndfile? {
    guard let fresh = Sndfile(file, length: length, within: patience) else { return nil }
    guard fresh.info.channels == layout.channels, fresh.info.samplerate == layout.samplerate,
      fresh.info.format == layout.format
    else {
      complaints.add("“\(file.name.shown)” holds something else since it was opened; play it again")
      return nil
    }
    return fresh
  }

  /// Nothing came although more should: says why and goes on behind the damage, or ends.
  private func endOrDamage(_ handle: Sndfile) {
    let patience = SndfileDecoder.patience
    if isOgg {
      complainAboutOgg(handle.isAtEnd)
      self.handle = nil
    } else if promise == nil, handle.isAtEnd {
      self.handle = nil
    } else if let flac {
      // Whatever libFLAC read ahead, the place is not further behind than this.
      let offset = handle.offset - 1_048_576
      goOn(behind: at, at: FLACPlaces(flac, behind: at, from: offset, within: patience), within: patience)
    } else {
      goOn(behind: at, at: Doubling(from: at + 512, to: last), within: patience)
    }
  }

  /// Goes to the first of `places` that can be decoded, all of them behind `start`, or ends there; and says so.
  private func goOn(behind start: Int64, at places: some Sequence<Int64>, within patience: Patience) {
    for place in places where place > start && place < last {
      if holds(place, within: patience), let fresh = reopened(within: patience),
        let reached = fresh.seek(to: place, within: patience)
      {
        complaints.add(
          "“\(file.name.shown)” is damaged at \(format.clock(start)): \(format.span(reached - start)) are left out; "
            + "copy it again")
        (handle, at) = (fresh, reached)
        return
      }
      if patience.isOver { break }
    }
    let promised = promise.map { " of the promised \(format.clock($0))" } ?? ""
    complaints.add(
      "“\(file.name.shown)” is cut short or damaged: nothing can be played from \(format.clock(start)) on\(promised); "
        + "copy it again")
    handle = nil
  }

  /// The Ogg reader itself goes on behind damage, without saying so, and then has less than was promised.
  private func complainAboutOgg(_ isAtEnd: Bool) {
    guard let promise else {
      complaints.add("“\(file.name.shown)” is cut short: it ends at \(format.clock(at)); copy it again")
      return
    }
    guard isAtEnd else { return }
    complaints.add(
      "“\(file.name.shown)” is damaged: \(format.span(promise - at)) of \(format.clock(promise)) are lost; copy it again"
    )
  }

  /// Decodes and drops; the handle stands at `start`. Also for the few old formats in which libsndfile cannot seek.
  private func decode(from start: Int64, to target: Int64) {
    let patience = SndfileDecoder.patience
    at = start
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 1024 * format.channels) { scratch in
      while at < target, !patience.isOver {
        let got = handle?.read(into: scratch, frames: Int(min(1024, target - at))) ?? 0
        if got == 0 { return }
        at += Int64(got)
      }
    }
  }

  /// Refuses a file from which not one frame can be had.
  private func start() throws(AudioError) {
    var got = 0
    let channels = format.channels
    let sample = UnsafeMutableBufferPointer<Float>.allocate(capacity: channels)
    defer { sample.deallocate() }
    got = try read(into: sample)
    if got == 0 { throw .hasNoSound(file.name) }
    // From the start again with a fresh handle, as if nothing had been read.
    complaints = Complaints()
    at = 0
    handle = reopened()
  }

  /// Whether frame `frame` can be had, tried on a handle of its own.
  private func holds(_ frame: Int64, within patience: Patience) -> Bool {
    guard frame >= 0, let trial = reopened(within: patience), trial.seek(to: frame, within: patience) == frame
    else { return false }
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: format.channels) {
      trial.read(into: $0, frames: 1, within: patience) == 1
    }
  }

  /// Brings the channels into WAVE's order, and takes out what is not a number: it would stay in every filter behind.
  private func tidy(_ samples: UnsafeMutableBufferPointer<Float>, frames: Int) {
    let channels = format.channels
    if format.bits == nil {
      for index in 0..<(frames * channels) where !samples[index].isFinite { samples[index] = 0 }
    }
    guard let order else { return }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: channels) { frame in
      for start in stride(from: 0, to: frames * channels, by: channels) {
        for channel in 0..<channels { frame[channel] = samples[start + order[channel]] }
        for channel in 0..<channels { samples[start + channel] = frame[channel] }
      }
    }
  }

  /// Vorbis and Opus put the centre between left and right and the low frequencies last (Vorbis I §4.3.9).
  private static func vorbisOrder(_ channels: Int) -> [Int]? {
    switch channels {
    case 3: [0, 2, 1]
    case 5: [0, 2, 1, 3, 4]
    case 6: [0, 2, 1, 5, 3, 4]
    case 7: [0, 2, 1, 6, 5, 3, 4]
    case 8: [0, 2, 1, 7, 5, 6, 3, 4]
    default: nil
    }
  }
}

/// Frames to try behind damage, further and further away, for files that do not say where a frame begins.
private struct Doubling: Sequence, IteratorProtocol {
  private let start: Int64
  private let end: Int64
  private var step: Int64 = 0

  init(from start: Int64, to end: Int64) { (self.start, self.end) = (start, end) }

  mutating func next() -> Int64? {
    let place = start.addingReportingOverflow(step)
    guard !place.overflow, place.partialValue < end else { return nil }
    step = step == 0 ? 512 : step.multipliedReportingOverflow(by: 2).partialValue
    return step > 0 ? place.partialValue : nil
  }
}

/// The frames of a FLAC file behind damage, the next one and then further and further away.
private struct FLACPlaces: Sequence, IteratorProtocol {
  private let frames: FLACFrames
  private let offset: Int64
  private var behind: Int64
  private var step: Int64 = 0
  private let patience: Patience

  init(_ frames: FLACFrames, behind frame: Int64, from offset: Int64, within patience: Patience) {
    (self.frames, self.offset, behind, self.patience) = (frames, offset, frame, patience)
  }

  mutating func next() -> Int64? {
    guard let place = frames.next(behind: behind, from: offset, within: patience) else { return nil }
    step = Swift.max(4096, step * 2)
    behind = place + step
    return place
  }
}
