import Wire

/// Something on the screen that a click means.
public enum Target: Hashable, Sendable {
  case tab(Page)
  /// A line of the page's list.
  case line(Int)
  /// The list as a whole, for the wheel.
  case list
  /// The progress bar; its ends are the track's.
  case bar
  /// What shows the volume, for the wheel.
  case volume
  /// A key that is named on the screen.
  case action(Action)
  case field(Form.Field)
}

extension Model {
  private static let doubleClickTime: Int64 = 500_000

  /// What the mouse did. Like a key it does nothing to an overlay that is deaf, nor to what lies below it.
  mutating func point(_ mouse: Mouse) -> [Effect] {
    let frame = view(self)
    let region = frame.region(atColumn: mouse.column, row: mouse.row)
    switch mouse.kind {
    case .press where mouse.button == .left: return region.map { click($0, mouse) } ?? []
    case .wheelUp, .wheelDown: return wheel(region?.target, mouse.kind == .wheelUp ? -1 : 1)
    default: return []
    }
  }

  private mutating func click(_ region: Region, _ mouse: Mouse) -> [Effect] {
    switch region.target {
    case .action(let action):
      if overlay != nil {
        guard !overlayIsDeaf else { return [] }
        return action == .snooze ? snooze() : action == .dismiss ? ask(.dismiss(shownRing?.id)) : []
      }
      return typing == nil ? perform(action) : []
    case .field(let field):
      guard var form, !form.isSent else { return [] }
      form.select(field)
      typing = .form(form)
      return []
    default: break
    }
    guard overlay == nil, typing == nil else { return [] }
    switch region.target {
    case .tab(let page): show(page)
    case .bar:
      guard let duration else { return [] }
      // The middle of the cell that was hit.
      let share = (Double(mouse.column - region.area.column) + 0.5) / Double(max(1, region.area.columns))
      return ask(.seekTo((min(max(0, share), 1) * duration).rounded()))
    case .line(let line):
      let again = lastClick.map {
        $0.target == region.target && now.monotonic - $0.at < Model.doubleClickTime
      }
      lastClick = again == true ? nil : Click(target: region.target, at: now.monotonic)
      select(line)
      if again == true { return openSelected() }
    default: break
    }
    return []
  }

  private mutating func wheel(_ target: Target?, _ step: Int) -> [Effect] {
    guard overlay == nil, typing == nil else { return [] }
    switch target {
    case .volume, .bar: return ask(.volume(by: -2 * step))
    case .list, .line:
      if output != nil { return [] }
      move(by: 3 * step)
    default: break
    }
    return []
  }
}
