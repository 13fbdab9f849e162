import Core
import Desktop
import Platform
import Schedule

/// What the desktop shows of the alarms: notifications, the number on the icon; and what it tells: choices, a new time
/// zone. Without a bus nothing of this happens, and nothing else is another.
final class DesktopKeeper {
  enum News {
    case chosen(OccurrenceID, Notification.Choice, token: String?)
    case zoneChanged
  }

  /// The sound that the desktop is asked to make where ours is not heard (freedesktop.org Sound Naming Specification).
  static let soundName = "alarm-clock-elapsed"

  /// The player is on the first too, the machine's sleep and the doctor on both.
  let session: Bus
  let system: Bus
  private let badge: LauncherBadge
  private var notifications: Desktop.Notifications?
  private var zoneWatch: ZoneWatch?
  private let words: (Notification) -> [String]
  private let told: (News) -> Void
  private var shown: [OccurrenceID: Notification] = [:]
  /// Those of them that are urgent, so that very many need not be looked through for each new one.
  private var urgent: Set<OccurrenceID> = []
  private var number = 0
  private var isHeard = true
  /// A screen has the person's eye: its overlay shows what rings.
  private var isSeen = false
  /// The user-info is shown in the text too.
  var showsInfo = false {
    didSet { if showsInfo != oldValue { showAgain(where: { !$0.info.isEmpty }) } }
  }

  /// `words`: what stands below the title, a line each.
  init(
    _ loop: EventLoop, words: @escaping (Notification) -> [String], told: @escaping (News) -> Void
  ) throws(SystemError) {
    (self.words, self.told) = (words, told)
    session = try Bus(loop, .session)
    system = try Bus(loop, .system)
    badge = LauncherBadge(session)
    notifications = try Desktop.Notifications(session) { [weak self] in self?.heard($0) }
    zoneWatch = ZoneWatch(system) { _ in told(.zoneChanged) }
  }

  /// Shows it, in the place of one of the same occurrence.
  func show(_ notification: Notification) {
    let id = notification.occurrence.id
    guard shown[id] != notification else { return }
    shown[id] = notification
    if notification.isUrgent { urgent.insert(id) } else { urgent.remove(id) }
    if !notification.isUrgent || !isSeen { notifications?.show(id.description, notice(notification)) }
    tellBadge()
  }

  func withdraw(_ id: OccurrenceID) {
    guard shown.removeValue(forKey: id) != nil else { return }
    urgent.remove(id)
    notifications?.close(id.description)
    tellBadge()
  }

  /// The key of what is no occurrence's.
  private static let doctorKey = "doctor"

  /// What may keep an alarm from being heard, `lines` one below the other, in the place of what was shown of it before.
  func showDoctor(_ title: String, _ lines: [String]) {
    notifications?.show(
      DesktopKeeper.doctorKey, Notice(title: title, body: lines.joined(separator: "\n")))
  }

  func withdrawDoctor() { notifications?.close(DesktopKeeper.doctorKey) }

  func setBadge(_ number: Int) {
    self.number = number
    tellBadge()
  }

  /// Whether what we play is heard. Where it is not, the desktop is to make a sound for what rings.
  func setHeard(_ isHeard: Bool) {
    guard isHeard != self.isHeard else { return }
    self.isHeard = isHeard
    showAgain(where: \.isUrgent)
  }

  private func showAgain(where isConcerned: (Notification) -> Bool) {
    for (id, notification) in shown where isConcerned(notification) && !(isSeen && notification.isUrgent) {
      notifications?.show(id.description, notice(notification))
    }
  }

  /// Whether a person looks at a screen, for certain. Its overlay stands in the place of what rings; when it is left, the
  /// desktop shows that again.
  func setSeen(_ isSeen: Bool) {
    guard isSeen != self.isSeen else { return }
    self.isSeen = isSeen
    guard isSeen else { return showAgain(where: \.isUrgent) }
    for (id, notification) in shown where notification.isUrgent { notifications?.close(id.description) }
  }

  /// What rings or is snoozed cannot be dealt with once the engine has gone; what was missed can still be read.
  func close() {
    for (id, notification) in shown where notification.occurrence.state.isLive { withdraw(id) }
    withdrawDoctor()
    badge.set(0, isUrgent: false)
    session.close()
    system.close()
  }

  private func tellBadge() { badge.set(number, isUrgent: !urgent.isEmpty) }

  private func notice(_ notification: Notification) -> Notice {
    var notice = Notice(title: notification.title, body: words(notification).joined(separator: "\n"))
    notice.isRinging = notification.isUrgent
    notice.offersSnooze = notification.choices.contains(.snooze)
    notice.offersDismiss = notification.choices.contains(.dismiss)
    notice.action = notification.choices.contains(.open) ? notification.action : nil
    notice.info = notification.info.map { Notice.Pair($0.key, $0.value) }
    notice.showsInfo = showsInfo
    notice.soundName = notification.isUrgent && !isHeard ? DesktopKeeper.soundName : nil
    return notice
  }

  private func heard(_ event: NoticeEvent) {
    switch event {
    case .invoked(let key, let action, let token):
      guard let id = OccurrenceID(key) else { return }
      Log.info("occurrence \(id): “\(action.rawValue)” was chosen on the desktop")
      told(.chosen(id, Notification.Choice(action), token: token))
    case .closed(let key, let end):
      guard let id = OccurrenceID(key), let notification = shown[id] else { return }
      Log.debug("occurrence \(id): the desktop closed its notification (\(end))")
      // It ends nothing. One that rings is shown again; another one stays closed, until it is another.
      if !notification.isUrgent { shown[id] = nil }
    case .shown: break
    }
  }
}

extension Notification.Choice {
  fileprivate init(_ action: NoticeAction) {
    switch action {
    case .snooze: self = .snooze
    case .dismiss: self = .dismiss
    case .open: self = .open
    }
  }
}
