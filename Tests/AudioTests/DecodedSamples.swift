import Audio
import Glibc
import Platform
import Testing

/// Everything a decoder gives, in reads of `chunk` frames.
func decodeAll(_ decoder: any Decoder, chunk: Int = 1000) throws -> [Float] {
  var result: [Float] = []
  let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: chunk * decoder.format.channels)
  defer { buffer.deallocate() }
  while true {
    let got = try decoder.read(into: buffer)
    if got == 0 { return result }
    result += buffer[..<(got * decoder.format.channels)]
  }
}

/// The next `frames` frames, fewer at the end.
func decode(_ decoder: any Decoder, frames: Int) throws -> [Float] {
  var result: [Float] = []
  let channels = decoder.format.channels
  let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: frames * channels)
  defer { buffer.deallocate() }
  while result.count < frames * channels {
    let rest = UnsafeMutableBufferPointer(rebasing: buffer[..<(frames * channels - result.count)])
    let got = try decoder.read(into: rest)
    if got == 0 { break }
    result += rest[..<(got * channels)]
  }
  return result
}

/// Everything a reader gives, in reads of `chunk` frames.
func readAll(_ reader: TrackReader, chunk: Int = 777) throws -> [Float] {
  var result: [Float] = []
  let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: chunk * reader.channels)
  defer { buffer.deallocate() }
  while true {
    let got = try reader.read(into: buffer)
    if got == 0 { return result }
    result += buffer[..<(got * reader.channels)]
  }
}

func complaints(of decoder: any Decoder) -> [String] {
  var result: [String] = []
  while let complaint = decoder.takeComplaint() { result.append(complaint) }
  return result
}

/// The greatest difference of two runs of samples, as far as both go.
func greatestDifference(_ left: some Collection<Float>, _ right: some Collection<Float>) -> Float {
  zip(left, right).reduce(0) { max($0, abs($1.0 - $1.1)) }
}

/// The sentence with which opening is refused; nil where it is not.
func refusal(_ file: FileName) -> AudioError? {
  do throws(AudioError) {
    _ = try openDecoder(file)
    return nil
  } catch { return error }
}
