import Testing

@testable import Desktop

@Suite("Where a bus is")
struct AddressTests {
  @Test(
    "Only local sockets are used, and the path is read to be watched",
    arguments: [
      (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a%20b/c,guid=1"], "/a b/c"),
      (["DBUS_SESSION_BUS_ADDRESS": "tcp:host=x,port=1;unix:path=/c"], "/c"),
      (["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=/x"], nil),
      (["XDG_RUNTIME_DIR": "/run/ü"], "/run/ü/bus"),
      (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/%zz%"], "/%zz%"),
    ] as [([String: String], String?)])
  func local(_ environment: [String: String], _ path: String?) throws {
    #expect(try #require(BusAddress(.session, environment: environment)).socketPath == path)
  }

  @Test("What would ask a name server or start a program is none", arguments: ["tcp:host=x", "autolaunch:"])
  func others(_ address: String) {
    #expect(BusAddress(.session, environment: ["DBUS_SESSION_BUS_ADDRESS": address]) == nil)
  }
}
