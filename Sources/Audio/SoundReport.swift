import Platform

/// What the sound system has to tell, on the loop's thread, each once and in the order it happened.
public enum SoundReport: Sendable, Equatable {
  /// A track was opened and is ready to be heard.
  case loaded(UInt64, TrackInfo)
  /// It could not be opened; nothing is loaded now.
  case loadFailed(UInt64, AudioError)
  /// The track's last frame has been heard.
  case trackEnded(UInt64)
  /// Damage was met in the track and skipped; a sentence for the log.
  case damaged(UInt64, String)
  /// A ring is heard from this instant (CLOCK_MONOTONIC, µs). `source` counts the given sources from 0; their number
  /// itself means the built-in tone. `file` is the one of that source.
  case ringStarted(String, source: Int, file: FileName?, atMonotonic: Int64)
  /// A ring that is heard has gone on to another file of its source, some seconds ago at most.
  case ringTurned(String, source: Int, file: FileName)
  /// A ring's source could not be played; the next in line is tried by itself.
  case ringSourceFailed(String, source: Int, AudioError)
  /// The device went away; music that was playing is held where it was heard last.
  case interrupted(reason: String)
  /// It consumes sound again. `shouldResume` says whether it was the interruption that stopped the music, in which
  /// case the music already goes on.
  case restored(shouldResume: Bool)
  /// `SoundSystem.status` is another one.
  case statusChanged
}
