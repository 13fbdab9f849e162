/// Whether a device takes whole steps, one like the other, and nothing else.
///
/// Of such a device it is known when the next step is taken, and which will be the first that does not find its frames: what
/// is queued can be made just so many steps, and more be given shortly before they are used up. One that renders sooner for
/// another client, or fills a buffer by its own clock, takes what is no multiple of a step, and shows here before long.
struct WholeSteps {
  private var taken: Int64?
  private var inARow = 0

  /// So many in a row are no chance.
  private static let enough = 8
  /// Steps at a look, of which the sum of what each may be off by stays well under half of one.
  private static let most = 10

  var isSure: Bool { inARow >= WholeSteps.enough }

  mutating func forget() { (taken, inARow) = (nil, 0) }

  /// `taken` of the frames given have been taken by now, in steps of `step` frames as far as is known. A fiftieth of a step
  /// is left to a server that resamples.
  mutating func observe(taken now: Int64, step: Int) {
    defer { taken = now }
    guard let taken, now != taken, step > 0 else { return }
    let jump = Int(now - taken)
    let steps = (jump + step / 2) / step
    guard steps <= WholeSteps.most else { return }
    let isWhole = steps > 0 && abs(jump - steps * step) <= steps * max(step / 50, 1)
    inARow = isWhole ? inARow + 1 : 0
  }
}
