import Commands

@main
enum Alarm {
  static func main() { CommandLineProgram.main() }
}
