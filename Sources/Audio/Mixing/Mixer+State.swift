import Synchronization

// What is going on in the mixer. Asked at every turn of an output, where nothing may be allocated: loops, no closures.
extension Mixer {
  /// Frames that may be rendered at once. One track alone whose gains stand still is the same in steps of any length, and
  /// every step has a price of its own.
  var step: Int {
    guard rings.isEmpty, tracks.count == 1, !holdsMusic, isStill(ceiling), isStill(dusk), isStill(master)
    else {
      return Mixer.quantum
    }
    let long = max(Mixer.quantum, Mixer.longest / format.channels)
    return tracks[0].isStill && canSound(tracks[0]) && tracks[0].voice.ring.waiting >= long
      ? long : Mixer.quantum
  }

  private func isStill(_ ramp: Ramp) -> Bool { ramp.value == 1 && ramp.target == 1 }

  /// Something is heard, or on its way down: keys must be heard soon.
  var isBusy: Bool {
    for slot in tracks where canSound(slot) { return true }
    for slot in rings where slot.hasBegun && !slot.gate.isShut { return true }
    return false
  }

  /// When the next ring is to begin (µs), where one waits.
  var nextBeginning: Int64? {
    var next: Int64?
    for slot in rings where !slot.hasBegun && !slot.isLeaving {
      next = min(next ?? .max, slot.plan.atMonotonic ?? 0)
    }
    return next
  }

  /// The clock behind the last frame of a track that has nothing more to give and whose end was not told yet.
  var nextEnd: Int64? {
    var next: Int64?
    for slot in tracks where slot.isCurrent && slot.hasBegun && !slot.toldEnd && slot.voice.ring.isSpent {
      next = min(next ?? .max, slot.renderedEnd)
    }
    return next
  }

  /// A track sounds on until the one in its place has enough decoded to begin.
  var awaitsSuccessor: Bool {
    var isRelieved = false
    for slot in tracks {
      if slot.leavesAt != nil { isRelieved = true }
      if slot.isCurrent, canSound(slot), slot.voice.isPrimed { return false }
    }
    return isRelieved
  }

  /// Something that sounds has less than this decoded, although more of it, or a track behind it, is to come; a ring also
  /// where it is to begin within these frames, of which the first is heard at `heardAt` (µs).
  func starves(frames: Int, heardAt: Int64) -> Bool {
    for slot in rings where slot.isSounding && !slot.isLeaving && slot.voice.format == format {
      let begins = (slot.plan.atMonotonic ?? 0) < heardAt + TimeLine.microseconds(Int64(frames), format.rate)
      if slot.hasBegun || begins, !slot.voice.ring.isFinished, slot.voice.ring.waiting < frames {
        return true
      }
    }
    var follows = false
    for (index, slot) in tracks.enumerated() where slot.isCurrent {
      if canSound(slot) {
        let lacks =
          slot.hasBegun
          ? !slot.voice.ring.isFinished && slot.voice.ring.waiting < frames
          : follows && !slot.voice.isPrimed && tracks[index - 1].voice.ring.isSpent
        if lacks { return true }
      }
      follows = true
    }
    return false
  }

  func canSound(_ slot: TrackSlot) -> Bool {
    slot.voice.format == format && slot.sounds && !(holdsMusic && slot.isCurrent) && !master.isShut
  }
}
