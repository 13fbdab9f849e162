/// Where the program is between somebody looking at it and its end.
///
/// The order of the steps is that of the old model: nothing goes from being looked at into the background, to sleep or to
/// its end but by way of what lies between, and nothing comes back without saying so first.
public struct LifeCycle: Hashable, Sendable {
  public enum State: String, Hashable, Sendable {
    /// A screen is attached, and its terminal has the focus or does not say.
    case active
    /// Screens are attached, and none has the focus.
    case inactive
    /// No screen is attached.
    case background
    /// The machine is about to sleep.
    case suspending
    case terminating
  }

  /// What is told on the way; `foreground` is coming back from the background.
  public enum Step: String, Hashable, Sendable {
    case active, inactive, background, foreground, suspending, terminating
  }

  public private(set) var state = State.background
  private var focused: [Bool] = []
  private var isSuspending = false
  private var isTerminating = false

  public init() {}

  public enum Event: Hashable, Sendable {
    /// The screens that are attached: for each, whether it has the focus.
    case screens([Bool])
    /// The machine is about to sleep, or has woken.
    case suspending(Bool)
    case terminating
  }

  /// The steps from where it was to where it is now, in their order; empty where nothing is another.
  public mutating func handle(_ event: Event) -> [Step] {
    switch event {
    case .screens(let focused): self.focused = focused
    case .suspending(let isSuspending): self.isSuspending = isSuspending
    case .terminating: isTerminating = true
    }
    let old = state
    state = goal
    guard state != old else { return [] }
    switch state {
    case .active: return old.isForeground ? [.active] : [.foreground, .active]
    case .inactive: return old.isForeground ? [.inactive] : [.foreground, .inactive]
    case .background: return old == .suspending ? [.background] : LifeCycle.way(from: old)
    case .suspending: return LifeCycle.way(from: old) + [.suspending]
    case .terminating: return LifeCycle.way(from: old) + [.terminating]
    }
  }

  private var goal: State {
    if isTerminating { return .terminating }
    if isSuspending { return .suspending }
    if focused.isEmpty { return .background }
    return focused.contains(true) ? .active : .inactive
  }

  /// The way down into the background.
  private static func way(from state: State) -> [Step] {
    switch state {
    case .active: [.inactive, .background]
    case .inactive: [.background]
    default: []
    }
  }
}

extension LifeCycle.State {
  public var isForeground: Bool { self == .active || self == .inactive }
}
