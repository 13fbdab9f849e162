import Testing
import Wire

@testable import Screen

@Suite("The mouse")
struct PointingTests {
  /// Where something is on the screen.
  private func place(_ target: Target, _ model: Model) throws -> Area {
    useUTF8()
    return try #require(view(model).regions.last { $0.target == target }).area
  }

  private func click(_ model: inout Model, _ target: Target, at seconds: Double = 0) throws -> [Effect] {
    let area = try place(target, model)
    return model.update(
      .mouse(Mouse(.press, .left, row: area.row, column: area.column)), at: Samples.now(seconds))
  }

  private func player() -> Model {
    var model = Samples.attached(80, 24, Samples.playing)
    Samples.press(&model, ["3"])
    return model
  }

  @Test("A click on a tab shows its page")
  func tabs() throws {
    var model = Samples.attached()
    for page in Page.allCases.reversed() {
      Samples.answer(&model, try click(&model, .tab(page)))
      #expect(model.page == page)
    }
  }

  @Test("A click selects, and one more soon after opens; two slow ones do not")
  func lines() throws {
    var model = player()
    #expect(try click(&model, .line(4)) == [])
    #expect(model.place.selected == 4)
    #expect(try click(&model, .line(4), at: 2) == [])
    #expect(try click(&model, .line(4), at: 2.3) == [.request(.playPlace(5))])
    // Three are one more than two, and not two twice.
    #expect(try click(&model, .line(4), at: 2.4) == [])
    #expect(try click(&model, .line(5), at: 2.5) == [])
  }

  @Test(
    "A click on the bar goes to that place",
    arguments: [("1", 0.0), ("3", 0.5), ("2", 0.999)] as [(Key, Double)])
  func seeks(_ page: Key, _ share: Double) throws {
    var model = Samples.attached(80, 24, Samples.playing)
    Samples.press(&model, [page])
    let bar = try place(.bar, model)
    let column = bar.column + Int(Double(bar.columns) * share)
    let effects = model.update(.mouse(Mouse(.press, .left, row: bar.row, column: column)), at: Samples.now())
    guard case .request(.seekTo(let seconds))? = effects.first else {
      Issue.record("no seek: \(effects)")
      return
    }
    #expect(abs(seconds / 296 - share) < 1 / Double(bar.columns) + 0.002 && seconds <= 296)
  }

  @Test("The wheel moves lists by three lines, and the volume where that is shown")
  func wheel() throws {
    var model = player()
    let line = try place(.line(2), model)
    for (kind, selected) in [(Mouse.Kind.wheelDown, 3), (.wheelDown, 6), (.wheelUp, 3)] {
      #expect(model.update(.mouse(Mouse(kind, row: line.row, column: 9)), at: Samples.now()) == [])
      #expect(model.place.selected == selected)
    }
    let volume = try place(.volume, model)
    #expect(
      model.update(.mouse(Mouse(.wheelUp, row: volume.row, column: volume.column)), at: Samples.now())
        == [.request(.volume(by: 2))])
  }

  @Test("A key that is named can be clicked; other buttons and other places do nothing")
  func hints() throws {
    var model = player()
    #expect(try click(&model, .action(.repeats)) == [.request(.repeats("one"))])
    #expect(try click(&model, .action(.next)) == [.request(.nextTrack)])
    let area = try place(.action(.next), model)
    for mouse in [
      Mouse(.press, .right, row: area.row, column: area.column),
      Mouse(.release, .left, row: area.row, column: area.column),
      Mouse(.drag, .left, row: area.row, column: area.column), Mouse(.press, .left, row: 500, column: 500),
      Mouse(.press, .left, row: -1, column: -1), Mouse(.wheelUp, row: -1, column: 9999),
    ] {
      #expect(model.update(.mouse(mouse), at: Samples.now()) == [])
    }
  }

  @Test("The overlay's two halves snooze and dismiss, but not while it is deaf, and nothing below it is hit")
  func overlay() throws {
    var model = player()
    let below = try place(.tab(.files), model)
    var status = Samples.status
    status.ringing = [Samples.ring]
    _ = model.update(.status(status), at: Samples.now(1))
    #expect(try click(&model, .action(.dismiss), at: 2) == [])
    #expect(try click(&model, .action(.dismiss), at: 3) == [.request(.dismiss(3))])
    #expect(try click(&model, .action(.snooze), at: 3) == [.request(.snooze(minutes: nil))])
    #expect(
      model.update(.mouse(Mouse(.press, .left, row: below.row, column: below.column)), at: Samples.now(3))
        == [])
    #expect(model.page == .player)
  }

  @Test("A click chooses a field of the form, and nothing else while one types")
  func form() throws {
    var model = Samples.attached()
    let tab = try place(.tab(.files), model)
    Samples.press(&model, ["a"])
    #expect(try click(&model, .field(.volume)) == [])
    #expect(model.form?.current == .volume)
    _ = model.update(.mouse(Mouse(.press, .left, row: tab.row, column: tab.column)), at: Samples.now())
    #expect(model.page == .clock && model.form != nil)
  }
}
