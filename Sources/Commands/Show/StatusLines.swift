import Platform
import Schedule
import Wire

/// The status object in a handful of lines. Everything that comes from outside is sanitised here.
enum StatusLines {
  static func lines(_ status: Status, at now: Instant, style: Style = Style(isOn: false)) -> [String] {
    var rows: [(name: String, text: String)] = []
    for ring in status.ringing { rows.append(("ringing", style.red(ringing(ring, now)))) }
    for snooze in status.snoozed {
      let until = Moment.shown(snooze.until, at: now)
      let text = "\(named(snooze.id, snooze.label)) until \(until)\(away(snooze.until, now))"
      rows.append(("snoozed", style.yellow(clean(text))))
    }
    let waiting = status.inbox.count { $0.state == "missed" }
    if waiting > 0 {
      rows.append(("inbox", "\(waiting) missed, badge \(status.badge); “alarm inbox” lists them"))
    }
    rows.append(("next", next(status, now)))
    rows.append(("player", player(status, now)))
    rows.append(("output", output(status.output)))
    rows.append(("keep-alive", keepAlive(status.keepAlive)))
    for lease in status.awake.leases { rows.append(("awake", Self.lease(lease, now))) }
    for lock in status.awake.inhibitors { rows.append(("lock", Self.lock(lock))) }
    if let wakeUp = status.awake.wakeUp { rows.append(("wake-up", Self.wakeUp(wakeUp, now))) }
    rows.append(("engine", engine(status, now)))
    for sentence in status.engine.configErrors { rows.append(("settings", style.red(clean(sentence)))) }
    if !status.engine.configErrors.isEmpty {
      rows.append(("", "until that is mended the settings stay as they are, all of them"))
    }
    for sentence in status.engine.configWarnings ?? [] {
      rows.append(("settings", style.yellow(clean(sentence))))
    }
    for sentence in status.engine.storeErrors { rows.append(("store", style.red(clean(sentence)))) }
    return rows.map { "\(Columns.padded($0.name, to: 10))  \($0.text)" }
  }

  /// `1  audio until 09:00, 45 min left: long render (alice)`
  static func lease(_ lease: Status.Lease, _ now: Instant) -> String {
    var text = "\(lease.id)  \(lease.kinds.joined(separator: ", "))"
    if let end = lease.expiresAt { text += " until \(Moment.shown(end, at: now))" }
    if let left = lease.secondsLeft { text += ", \(SpanText.shown(left)) left" }
    if lease.renewalsLeft > 0 {
      text += " and \(lease.renewalsLeft == 1 ? "once" : "\(lease.renewalsLeft) times") as long again"
    }
    if !lease.reason.isEmpty { text += ": \(lease.reason)" }
    if !lease.owner.isEmpty { text += " (\(lease.owner))" }
    return clean(text)
  }

  /// `sleep, block: held by logind`
  private static func lock(_ lock: Status.Inhibitor) -> String {
    let what = lock.what.split(separator: ":").map { $0 == "handle-lid-switch" ? "lid" : $0 }
    let state =
      lock.refused.map { "refused by \(lock.by): \($0)" }
      ?? (lock.held ? "held by \(lock.by)" : "asked of \(lock.by)")
    return clean("\(what.joined(separator: ", ")), \(lock.mode): \(state)")
  }

  private static func wakeUp(_ wakeUp: Status.WakeUp, _ now: Instant) -> String {
    let at = Moment.shown(wakeUp.at, at: now)
    switch wakeUp.by {
    case "clock": return clean("\(at), by the machine's clock")
    case "systemd": return clean("\(at), by a timer of systemd")
    case "helper": return clean("\(at), by the helper alarm-wake")
    case "block": return clean("none; the machine is kept from sleeping until \(at)")
    case let other: return clean("\(at), by \(other)")
    }
  }

  /// `3 “Up”`
  static func named(_ id: Int, _ label: String) -> String { label.isEmpty ? "\(id)" : "\(id) “\(label)”" }

  private static func away(_ text: String, _ now: Instant) -> String {
    guard let moment = Moment(text) else { return "" }
    return ", in \(SpanText.shown((moment.instant - now).inSeconds))"
  }

  private static func ringing(_ ring: Status.Ringing, _ now: Instant) -> String {
    var text = "\(named(ring.id, ring.label)) since \(Moment.shown(ring.since, at: now))"
    if !ring.sounding {
      // What it would sound with is known once it does.
      text += ", covered by a newer one"
    } else if let sound = ring.sound {
      let file = ring.file.map { "\(AlarmLines.sound($0)) of " } ?? ""
      text += ", sounding \(file)\(AlarmLines.sound(sound))"
    } else {
      text += ", without sound"
    }
    if let left = ring.snoozesLeft { text += ", \(left == 1 ? "1 snooze" : "\(left) snoozes") left" }
    if !ring.body.isEmpty { text += ": \(ring.body)" }
    if !ring.notes.isEmpty { text += " (\(ring.notes.joined(separator: "; ")))" }
    return clean(text)
  }

  private static func next(_ status: Status, _ now: Instant) -> String {
    let alarms = status.alarms
    guard let next = alarms.next else {
      return alarms.count == 0
        ? "no alarms; “alarm add 07:00” makes one" : "none; \(alarms.count) in the list"
    }
    let text = "\(named(next.id, next.label)) \(Moment.shown(next.at, at: now))\(away(next.at, now))"
    return clean("\(text) (\(alarms.enabled) of \(alarms.count) on)")
  }

  private static func player(_ status: Status, _ now: Instant) -> String {
    let player = status.player
    var text = player.state
    if let track = player.track {
      let file = FileName(text: track.path)?.lastShown ?? track.path
      text += " “\(track.title.isEmpty ? file : track.title)”"
      if !track.artist.isEmpty { text += " by \(track.artist)" }
      text += ", \(SpanText.position(player.position))"
      if let duration = track.duration { text += " of \(SpanText.position(duration))" }
      if status.queue.length > 1, let index = status.queue.index {
        text += ", track \(index + 1) of \(status.queue.length)"
      }
    }
    if status.queue.stopAfter { text += ", the last one" }
    if status.queue.shuffle { text += ", shuffled" }
    if status.queue.repeat != "off" { text += ", repeat \(status.queue.repeat)" }
    if let end = player.sleepAt { text += ", until \(Moment.shown(end, at: now))" }
    return clean("\(text), volume \(player.volume)\(player.muted ? ", muted" : "")")
  }

  private static func output(_ output: Status.Output) -> String {
    var text = "\(output.device), \(output.state)"
    if let rate = output.rate {
      text += ", \(rate) Hz"
      if let format = output.format { text += " \(format)" }
      if let channels = output.channels {
        text += ", \(channels == 1 ? "1 channel" : "\(channels) channels")"
      }
    }
    let reason = output.reason.flatMap { $0.isEmpty ? nil : $0 }
    let plain = "nobody will hear"
    if output.audible {
      if let reason { text += "; \(reason)" }
    } else if let reason, reason.hasPrefix(plain) {
      text += "; \(reason)"
    } else {
      text += "; \(plain)" + (reason.map { ": \($0)" } ?? "")
    }
    return clean(text)
  }

  private static func keepAlive(_ keepAlive: Status.KeepAlive) -> String {
    guard keepAlive.active else { return clean(keepAlive.why.map { "off: \($0)" } ?? "off") }
    let text = "on (\(keepAlive.mode), \(keepAlive.signal))"
    return clean(keepAlive.why.map { "\(text): \($0)" } ?? text)
  }

  private static func engine(_ status: Status, _ now: Instant) -> String {
    let engine = status.engine
    let since = Moment.shown(engine.startedAt, at: now)
    return clean("version \(engine.version), process \(engine.pid) since \(since), \(status.lifecycle)")
  }
}
