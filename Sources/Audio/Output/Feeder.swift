import Platform
import Synchronization

/// What workers tell the loop. `job` is the feeder's number.
enum FeederMessage: Sendable {
  /// A source was opened; a track's feeder now waits for its voice.
  case opened(job: UInt64, source: Int, TrackInfo)
  case failed(job: UInt64, source: Int, AudioError)
  /// A ring is heard from another file of its source.
  case turned(job: UInt64, source: Int, FileName)
  case damaged(job: UInt64, String)
  /// A track will be decoded to its end soon: time to open what follows it.
  case nearsEnd(job: UInt64)
  case clip(job: UInt64, Clip?)
}

/// A worker that opens a file and keeps one voice's ring filled.
///
/// It has a thread of its own, because a disk that hangs must hold up nothing but this voice. It sleeps without
/// wake-ups while the ring is full.
final class Feeder: Sendable {
  let job: UInt64
  let bell: Bell
  private let voice = Mutex<Voice?>(nil)
  private let isCancelled = Atomic<Bool>(false)
  private let gains: Gains
  private let tell: @Sendable (FeederMessage) -> Void

  init(job: UInt64, gains: Gains, tell: @escaping @Sendable (FeederMessage) -> Void) throws(SystemError) {
    (self.job, self.gains, self.tell) = (job, gains, tell)
    bell = try Bell()
  }

  /// A track: opens it, waits for `begin`, and decodes from a place (seconds) to the end.
  func startTrack(_ file: FileName, at seconds: Double, wakes output: Bell) throws(SystemError) {
    try startThread("alarm-track") { [self] in
      do throws(AudioError) {
        let decoder = try openDecoder(file)
        tell(.opened(job: job, source: 0, TrackInfo(file: file, format: decoder.format, tags: decoder.tags)))
        guard let voice = waitForVoice() else { return }
        voice.evening = gains.factor(of: file, for: .music) ?? 1
        let reader = try TrackReader(decoder, rate: voice.format.rate, channels: voice.format.channels)
        if seconds > 0 {
          try reader.seek(toSourceFrame: Int64(seconds * Double(decoder.format.rate)))
        }
        _ = try pump(reader, into: voice, wakes: output, warnsOfEnd: true)
        voice.ring.finish()
        output.ring()
      } catch {
        // In the middle of a track that is its end; the mixer must learn of it.
        voice.withLock { $0 }?.ring.finish()
        output.ring()
        tell(.failed(job: job, source: 0, error))
      }
    }
  }

  /// A ring: the first of `sounds` that can be played, its files one behind the other and again from the first; when
  /// no sound is left, the mixer's own tone.
  func startRing(_ sounds: [[FileName]], wakes output: Bell) throws(SystemError) {
    try startThread("alarm-ring") { [self] in
      guard let voice = waitForVoice() else { return }
      for (index, files) in sounds.enumerated() {
        if isCancelled.load(ordering: .relaxed) { return }
        do throws(AudioError) {
          try loop(files, ofSource: index, into: voice, wakes: output)
          return
        } catch {
          tell(.failed(job: job, source: index, error))
        }
      }
      // From here on the ring is empty for ever, and the mixer's tone stands in for it at once.
      voice.ring.finish()
      output.ring()
    }
  }

  /// Decodes the silent clip, of which at most ten seconds count.
  func startClip(_ file: FileName, format: StreamFormat) throws(SystemError) {
    try startThread("alarm-clip") { [self] in
      let most = format.rate * 10
      var samples: [Float] = []
      do throws(AudioError) {
        let reader = try TrackReader(file, rate: format.rate, channels: format.channels)
        let room = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096 * format.channels)
        defer { room.deallocate() }
        while samples.count / format.channels < most {
          let count = try reader.read(into: room)
          if count == 0 { break }
          samples += room[..<(count * format.channels)]
        }
        tell(.clip(job: job, samples.isEmpty ? nil : Clip(format: format, samples: samples)))
      } catch {
        tell(.failed(job: job, source: 0, error))
      }
    }
  }

  /// Hands over the voice to be filled.
  func begin(_ voice: Voice) {
    self.voice.withLock { $0 = voice }
    bell.ring()
  }

  /// Any thread; the worker ends by itself when it next looks.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    bell.ring()
  }

  // MARK: The worker's thread

  private func waitForVoice() -> Voice? {
    while !isCancelled.load(ordering: .relaxed) {
      if let voice = voice.withLock({ $0 }) { return voice }
      bell.wait(microseconds: nil)
    }
    return nil
  }

  /// Plays the files of one sound round and round until it is cancelled. A file that cannot be played is left out from
  /// then on; throws what was wrong with the first one when none is left.
  private func loop(
    _ files: [FileName], ofSource source: Int, into voice: Voice, wakes output: Bell
  ) throws(AudioError) {
    var files = files
    var refusal: AudioError?
    // A lone file stays open, so that its end and its beginning meet.
    var lone: TrackReader?
    var isFirst = true
    // Files that are decoded and not heard yet, each with its first frame in the voice.
    var ahead: [(file: FileName, frame: Int)] = []
    var put = 0
    while !isCancelled.load(ordering: .relaxed) {
      for file in files where !isCancelled.load(ordering: .relaxed) {
        do throws(AudioError) {
          let reader: TrackReader
          if let lone, files.count == 1 {
            reader = lone
            try reader.seek(toSourceFrame: 0)
          } else {
            reader = try TrackReader(file, rate: voice.format.rate, channels: voice.format.channels)
            lone = reader
          }
          let evening = gains.factor(of: file, for: .ring) ?? 1
          if isFirst {
            isFirst = false
            tell(
              .opened(
                job: job, source: source, TrackInfo(file: file, format: reader.format, tags: reader.tags)))
            voice.evening = evening
          } else if files.count > 1 {
            ahead.append((file, put))
          }
          // What is decoded now is heard seconds later: the voice's own factor still belongs to the file before.
          let gain = Float(evening / voice.evening)
          let count = try pump(reader, into: voice, wakes: output, gain: gain) {
            while let next = ahead.first, voice.ring.position > next.frame {
              tell(.turned(job: job, source: source, next.file))
              ahead.removeFirst()
            }
          }
          guard count > 0 else {
            throw AudioError(.undecodable, "“\(file.shown)” holds no sound; choose another file")
          }
          put += count
        } catch {
          refusal = refusal ?? error
          lone = nil
          files.removeAll { $0 == file }
          if !files.isEmpty { tell(.damaged(job: job, error.description)) }
        }
      }
      if files.isEmpty {
        throw refusal ?? AudioError(.unreadable, "the sound has no files; choose another one")
      }
    }
  }

  /// Fills the ring until the source ends, each sample times `gain`; how many frames that were. `look` is called whenever
  /// it has woken.
  private func pump(
    _ reader: TrackReader, into voice: Voice, wakes output: Bell, warnsOfEnd: Bool = false, gain: Float = 1,
    look: () -> Void = {}
  ) throws(AudioError) -> Int {
    var count = 0
    // Ten seconds are enough to read an MP3 through on a slow disk; where the length is not known, what is decoded is.
    var warnAt =
      warnsOfEnd ? reader.format.frames.map { $0 - Int64(10 * reader.format.rate) } ?? .max : nil
    var isPrimed = false
    while !isCancelled.load(ordering: .relaxed) {
      look()
      // Sleep is announced before the room is looked at: the mixer cannot take without seeing it.
      voice.feederSleeps.store(true, ordering: .sequentiallyConsistent)
      if voice.ring.free < 2048, !voice.ring.isLow {
        bell.wait(microseconds: nil)
        continue
      }
      voice.feederSleeps.store(false, ordering: .relaxed)
      let got = try voice.ring.fill(limit: 4096) { samples throws(AudioError) in
        let frames = try reader.read(into: samples)
        if gain != 1, let first = samples.baseAddress {
          Kernels.scale(first, frames: frames, channels: voice.format.channels, from: gain, to: gain)
        }
        return frames
      }
      if let complaint = reader.takeComplaint() { tell(.damaged(job: job, complaint)) }
      if let place = warnAt, got == 0 || reader.position >= place {
        warnAt = nil
        tell(.nearsEnd(job: job))
      }
      if got == 0 { return count }
      count += got
      if !isPrimed, voice.isPrimed {
        isPrimed = true
        output.ring()
      }
    }
    // Cancelled: anything but 0, which would be an empty source.
    return max(count, 1)
  }
}
