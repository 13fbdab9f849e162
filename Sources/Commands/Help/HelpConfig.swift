import Platform

/// `alarm help config`: every setting with its default.
enum HelpConfig {
  static func lines(_ paths: Paths) -> [String] { [] }
}
