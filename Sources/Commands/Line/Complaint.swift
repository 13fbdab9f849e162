import Platform

/// Why a command ends without having done its work: an exit status and a sentence for standard error.
///
/// The sentence names the thing and says what to do; it is sanitised when it is made, so it may quote anything.
struct Complaint: Error, Hashable {
  enum Status: Int32 {
    /// It could not be done.
    case failed = 1
    /// The words were wrong.
    case wrongWords = 2
  }

  let status: Status
  let sentence: String

  init(_ status: Status, _ sentence: String) {
    self.status = status
    self.sentence = clean(sentence)
  }

  static func wrongWords(_ sentence: String) -> Complaint { Complaint(.wrongWords, sentence) }
  static func failed(_ sentence: String) -> Complaint { Complaint(.failed, sentence) }
}
