import Platform

/// What lists and screens want to know of a file before it is played.
public struct TrackInfo: Hashable, Sendable {
  public let file: FileName
  public let format: SourceFormat
  /// As the file has them, not sanitised.
  public let tags: Tags

  public init(file: FileName, format: SourceFormat, tags: Tags) {
    (self.file, self.format, self.tags) = (file, format, tags)
  }

  /// The title to show, sanitised; the file's name where the file names none.
  public var title: String {
    let title = clean(tags.title)
    return title.allSatisfy(\.isWhitespace) ? file.lastShown : title
  }

  /// Length in seconds, nil where the file does not say it for certain.
  public var duration: Double? { format.duration }
}

/// Opens a file, asks it and closes it. Blocks on the disk: for workers. Throws as `openDecoder`.
public func readTrackInfo(_ file: FileName) throws(AudioError) -> TrackInfo {
  let decoder = try openDecoder(file)
  return TrackInfo(file: file, format: decoder.format, tags: decoder.tags)
}
