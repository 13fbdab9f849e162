import Platform
import Wire

extension Command {
  static let output = Command(
    "output", .player, forms: ["[list]", "NAME"], "shows the devices, or chooses the one that plays",
    about: [
      "NAME is ALSA's name of a device. The choice is kept until another is made; “alarm output auto” goes back to what the settings say (output.device)."
    ],
    options: [.json],
    examples: [
      Example("alarm output list", "all devices, the present one marked"),
      Example("alarm output default", "ALSA's default"), Example("alarm output auto", "as the settings say"),
    ]
  ) { call throws(Complaint) in
    let words = try call.texts()
    guard words.count <= 1 else {
      throw .wrongWords("“alarm output” takes one name; write it in quotes where it has spaces")
    }
    if let name = words.first, name != "list" {
      guard !name.isEmpty else {
        throw .wrongWords("the name is empty; “alarm output list” shows the devices")
      }
      return try call.perform("output", ["device": .string(name)])
    }
    let entries = try call.ask("output.list", as: [OutputEntry].self)
    guard !call.has("json") else { return 0 }
    let columns = call.outside.tableColumns
    let rows = entries.map { [$0.chosen ? ">" : "", clean($0.name), clean($0.description)] }
    for (entry, cells) in zip(entries, Columns.align(rows, limit: columns, shrinkable: [2])) {
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      call.printLine(entry.chosen ? call.style.bold(line) : line)
    }
    return 0
  }
}
