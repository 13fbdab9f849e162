import Testing
import Wire

@Suite("Reading and writing JSON-RPC 2.0")
struct MessageTests {
  private func read(_ line: String) throws -> Incoming { try Incoming(line: Array(line.utf8)) }

  @Test(
    "A line that is not JSON-RPC gets the number the specification gives it",
    arguments: [
      ("", ErrorCode.parse), ("{", ErrorCode.parse), ("nonsense", ErrorCode.parse),
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"", ErrorCode.parse),
      ("\u{1}\u{2}", ErrorCode.parse),
      ("[]", ErrorCode.invalidRequest), ("[{\"jsonrpc\":\"2.0\"}]", ErrorCode.invalidRequest),
      ("1", ErrorCode.invalidRequest), ("null", ErrorCode.invalidRequest), ("{}", ErrorCode.invalidRequest),
      ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"x\"}", ErrorCode.invalidRequest),
      ("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"x\"}", ErrorCode.invalidRequest),
      ("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"x\"}", ErrorCode.invalidRequest),
      ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", ErrorCode.invalidRequest),
      ("{\"jsonrpc\":\"2.0\"}", ErrorCode.invalidRequest),
    ])
  func refused(_ line: String, _ code: Int) {
    let error = #expect(throws: WireError.self) { try read(line) }
    #expect(error?.code == code, "\(line)")
    #expect(error?.description.isEmpty == false)
  }

  @Test(
    "Brackets without end are refused before any decoder recurses into them", arguments: ["[", "{\"a\":"])
  func deep(_ bracket: String) throws {
    for count in [65, 600, 100_000] {
      let text = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":"
      let error = #expect(throws: WireError.self) {
        try read(text + String(repeating: bracket, count: count))
      }
      #expect(error?.code == ErrorCode.parse)
    }
  }

  @Test("More values than are allowed are refused; what stands in a text is none")
  func manyValues() throws {
    func line(_ value: String) -> [UInt8] {
      Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":\(value)}".utf8)
    }
    let many = line("[" + Array(repeating: "0", count: 500).joined(separator: ",") + "]")
    let error = #expect(throws: WireError.self) { try Incoming(line: many, mostValues: 400) }
    #expect(error?.code == ErrorCode.invalidRequest)
    _ = try Incoming(line: many)
    _ = try Incoming(line: line("\"" + String(repeating: ",", count: 500) + "\""), mostValues: 400)
  }

  @Test("Brackets within a text are text")
  func bracketsInText() throws {
    let text = String(repeating: "[", count: 500) + "\\\"" + String(repeating: "{", count: 500)
    guard
      case .request(_, "x", let params) = try read(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":{\"a\":\"\(text)\"}}")
    else {
      Issue.record("not a request")
      return
    }
    let value = try params.json()
    #expect(value["a"] != nil)
  }

  @Test("Params reach 60 levels down")
  func nested() throws {
    let open = String(repeating: "[", count: 60)
    let shut = String(repeating: "]", count: 60)
    guard
      case .request(_, _, let params) = try read(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":\(open)\(shut)}")
    else {
      Issue.record("not a request")
      return
    }
    guard case .array = try params.json() else {
      Issue.record("not an array")
      return
    }
  }

  @Test("A message with an id wants a reply, one without does not; an id of null is an id")
  func kinds() throws {
    if case .request(.int(7), "add", let params) = try read(
      #"{"jsonrpc":"2.0","id":7,"method":"add","params":{"when":"07:00"}}"#)
    {
      #expect(try params.json() == ["when": "07:00"])
    } else {
      Issue.record("not a request")
    }
    if case .notification("add", let params) = try read(#"{"jsonrpc":"2.0","method":"add"}"#) {
      #expect(try params.json() == [:])
    } else {
      Issue.record("not a notification")
    }
    guard case .request(.null, "add", _) = try read(#"{"jsonrpc":"2.0","id":null,"method":"add"}"#) else {
      Issue.record("not a request")
      return
    }
  }

  @Test("What is written can be read again")
  func roundTrip() throws {
    let text = "a/“b” \\ \u{1b}[31m \n é 🕰"
    let request = Outgoing.request(id: 3, method: "add", params: ["label": .string(text), "n": 1])
    #expect(request.last == 10 && request.count { $0 == 10 } == 1)
    if case .request(.int(3), "add", let params) = try Incoming(line: request.dropLast()) {
      #expect(try params.json() == ["label": .string(text), "n": 1])
    } else {
      Issue.record("not a request")
    }
    let reply = Outgoing.reply(id: "x", result: DoneReply(lines: [text]))
    if case .reply("x", let result) = try Incoming(line: reply.dropLast()) {
      #expect(try result.decode(DoneReply.self) == DoneReply(lines: [text]))
    } else {
      Issue.record("not a reply")
    }
    let failure = Outgoing.failure(id: 1, WireError(code: ErrorCode.wrongWords, text))
    if case .failure(1, let error) = try Incoming(line: failure.dropLast()) {
      #expect(error == WireError(code: ErrorCode.wrongWords, text))
    } else {
      Issue.record("not a failure")
    }
  }

  @Test("A number that JSON has no form for does not take the reply away")
  func notANumber() throws {
    let line = Outgoing.reply(id: 1, result: ["a": Double.nan, "b": Double.infinity])
    guard case .reply = try Incoming(line: line.dropLast()) else {
      Issue.record("not a reply")
      return
    }
  }

  @Test("Wrong params say which member is wrong")
  func wrongParams() throws {
    guard
      case .request(_, _, let params) = try read(
        #"{"jsonrpc":"2.0","id":1,"method":"x","params":{"lines":7}}"#)
    else { return }
    let error = #expect(throws: WireError.self) { try params.decode(DoneReply.self) }
    #expect(error?.code == ErrorCode.invalidParams)
    #expect(error?.description.contains("params.lines") == true)
  }
}
