/// Everything a key can do outside a text field and the ringing overlay. The raw value is the name in the settings
/// (`ui.keys`) and stays.
public enum Action: String, Hashable, Sendable, CaseIterable {
  case playPause = "play-pause"
  case next, previous
  case seekBack = "seek-back"
  case seekForward = "seek-forward"
  case seekBackMinute = "seek-back-minute"
  case seekForwardMinute = "seek-forward-minute"
  case volumeUp = "volume-up"
  case volumeDown = "volume-down"
  case mute
  case pause, stop
  case repeats = "repeat"
  case shuffle
  case meter
  case snooze, dismiss
  case add, edit
  case onOff = "on-off"
  case skip, rehearse, remove, undo
  case clear
  case moveDown = "move-down"
  case moveUp = "move-up"
  case down, up, top, bottom
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case open, back
  case search
  case searchNext = "search-next"
  case searchPrevious = "search-previous"
  case clock, alarms, player, files, inbox, log, help
  case nextView = "next-view"
  case previousView = "previous-view"
  case command
  case startEngine = "start-engine"
  case redraw
  case detach
  case stopEngine = "stop-engine"

  /// What it does, for the help: the rest of the sentence that begins with the key.
  public var does: String {
    switch self {
    case .playPause: "plays or pauses the music"
    case .next: "plays the next track"
    case .previous: "plays the track before"
    case .seekBack: "goes back 5 seconds"
    case .seekForward: "goes on 5 seconds"
    case .seekBackMinute: "goes back a minute"
    case .seekForwardMinute: "goes on a minute"
    case .volumeUp: "makes the music louder"
    case .volumeDown: "makes the music quieter"
    case .mute: "silences the music, or lets it be heard again"
    case .pause: "pauses the music"
    case .stop: "silences whatever sounds"
    case .repeats: "repeats nothing, all or one track"
    case .shuffle: "plays the queue in any order, or in its own"
    case .meter: "shows how loud the music is (Player), or no more"
    case .snooze: "snoozes what rings"
    case .dismiss: "dismisses what rings or is snoozed"
    case .add: "adds an alarm; in Files: adds to the queue"
    case .edit: "edits the selected alarm"
    case .onOff: "turns the selected alarm on or off"
    case .skip: "skips its next time, or takes that back"
    case .rehearse: "rings it now, as a rehearsal"
    case .remove: "removes the selected alarm or track"
    case .undo: "takes back what was done last to an alarm"
    case .clear: "takes out what was missed (Inbox), or all tracks (Player)"
    case .moveDown: "moves the selected track down"
    case .moveUp: "moves the selected track up"
    case .down: "selects the next line"
    case .up: "selects the line before"
    case .top: "selects the first line"
    case .bottom: "selects the last line"
    case .halfPageDown: "goes half a page down"
    case .halfPageUp: "goes half a page up"
    case .open: "opens or plays what is selected"
    case .back: "in Files: goes to the folder above"
    case .search: "searches in the list"
    case .searchNext: "goes to the next hit"
    case .searchPrevious: "goes to the hit before"
    case .clock: "shows the clock"
    case .alarms: "shows the alarms"
    case .player: "shows the player and its queue"
    case .files: "shows folders and playlists"
    case .inbox: "shows the inbox"
    case .log: "shows what became of each alarm"
    case .help: "shows the keys"
    case .nextView: "shows the next view"
    case .previousView: "shows the view before"
    case .command: "takes any command of the shell: add 07:00"
    case .startEngine: "starts the engine where it is gone"
    case .redraw: "draws the screen anew"
    case .detach: "leaves the screen; alarms and music go on"
    case .stopEngine: "stops the engine, after asking"
    }
  }
}
