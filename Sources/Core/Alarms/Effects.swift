import Schedule

extension AlarmBook {
  /// What happened, or what a person asks.
  public enum Event: Sendable {
    /// First after a start: judges what passed while the engine was away.
    case loaded
    /// A timer went off, the clock was set, the zone changed, the machine woke: everything is worked out again.
    case tick
    case add(AlarmDraft)
    case addTimer(Duration, label: String)
    /// Takes alarms from elsewhere, all or none; one `undo` takes them all back.
    case bringIn([AlarmCopy])
    /// The draft is the whole of what the alarm shall be; take `alarm(id)?.draft` and change it.
    /// `namesTime`: its time was given anew, which starts a timer again even where the span is the same.
    case edit(Int, AlarmDraft, namesTime: Bool = false)
    case remove([Int])
    /// Removes the alarms that have rung for the last time.
    case removeSpent
    case setEnabled([Int], Bool)
    case skip(Skip)
    /// Takes back what was done last: a removal, an edit, what was brought in, on, off or a skip.
    case undo
    case rehearse(Int)
    /// Without id all that ring; without span the alarm's own.
    case snooze(id: Int?, span: Duration?, by: Hand = .commandLine)
    /// Without id the one that sounds.
    case dismiss(id: Int?, by: Hand = .commandLine)
    /// Dismisses all that ring; does nothing where nothing does.
    case stopRinging(by: Hand = .commandLine)
    /// Somebody chose this on a notification. `dismiss` on one that was missed takes it out of the inbox; `open` changes
    /// nothing here.
    case chosen(OccurrenceID, Notification.Choice, by: Hand)
    /// A person has looked at the inbox: the badge is 0.
    case inboxSeen
    /// Takes out of the inbox what neither rings nor is snoozed.
    case inboxCleared
    /// How the command of a ring ended, or that it could not be run: `ran` or `runFailed`, and a sentence.
    case commandEnded(OccurrenceID, StoryLine.Kind, sentence: String)
    /// A source is about to be opened for this ring; stored first, so that one that kills the engine is passed over.
    case attempting(OccurrenceID, source: String)
    /// That source is heard; of a folder or playlist that file (`FileName.text`).
    case sounding(OccurrenceID, source: String, file: String? = nil)
    /// The output began this ring at that instant.
    case began(OccurrenceID, at: Instant)
    /// That source failed; the sentence goes to the person.
    case ringFailed(OccurrenceID, source: String, sentence: String)
    /// Something the person is to know of this ring, a whole sentence.
    case ringNoted(OccurrenceID, sentence: String)
    /// The engine ends in order: what is being opened has done no harm, and is not passed over at the next start.
    case ending
    case settings(Settings)
    /// Nothing can be stored: changes of alarms are refused with this sentence until `storeMended`.
    case storeBroken(String)
    case storeMended
  }

  /// What is to be done, in this order.
  public enum Effect: Hashable, Sendable {
    /// Commit these together. `mustSucceed`: where it fails, drop the effects behind it, call `revert()` and answer with
    /// the store's sentence. Otherwise go on; a restart may ring again.
    case save([Change], mustSucceed: Bool)
    /// The output shall hold this ring and begin it at that wall instant by itself, two seconds or less from now.
    case prepareRing(Ring, at: Instant)
    /// A prepared ring that will not come about, or not at that instant.
    case cancelRing(OccurrenceID)
    /// Rings now; where it was prepared it has begun already.
    case startRing(Ring)
    case stopRing(OccurrenceID)
    /// A ring is covered by a newer one, or uncovered.
    case setSounding(OccurrenceID, Bool)
    /// Label, sound, volume or fade are others from now on.
    case changeRing(Ring)
    /// Shows the notification of its occurrence, in the place of one that is shown.
    case notify(Notification)
    /// Takes the notification of that occurrence away, where one is shown.
    case withdraw(OccurrenceID)
    /// How many notifications have not been dealt with.
    case badge(Int)
    /// Runs this beside the ring; once for each occurrence.
    case run(RingCommand)
    /// An occurrence is in another state; for events and the log.
    case changed(Occurrence)
    /// What the person is told.
    case answer(Answer)
  }

  /// What a request did, for its reply.
  public struct Answer: Hashable, Sendable {
    /// The alarms concerned, as they now are.
    public var alarms: [Int] = []
    public var removed: [Alarm] = []
    /// The occurrences acted on, as they now are.
    public var occurrences: [Occurrence] = []
    /// Others that ring or are snoozed still, which a command without an id did not touch.
    public var rest: [Occurrence] = []
    /// What was done, in words, where the above does not say.
    public var done: String?
    /// Whole sentences.
    public var warnings: [String] = []
    public init() {}
  }
}
