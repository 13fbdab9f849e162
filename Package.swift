// swift-tools-version: 6.2

import PackageDescription

// Every arrow between targets is written out here; the build refuses an import that is not (see the Makefile).
// Warnings are errors everywhere.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

func room(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func cLibrary(_ name: String) -> Target {
  .systemLibrary(name: name, path: "Sources/CLibraries/\(name)")
}

func tests(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
  name: "reveille",
  products: [
    .executable(name: "alarm", targets: ["alarm"]), .executable(name: "alarm-wake", targets: ["alarm-wake"]),
  ],
  targets: [
    .executableTarget(name: "alarm", dependencies: ["Commands"], swiftSettings: strict),
    // Runs with a capability, so it is small enough to be read whole, and without a runtime. Embedded Swift wants the module
    // compiled as one. No test depends on it, or its embedded runtime would be linked beside the real one.
    .executableTarget(
      name: "alarm-wake", dependencies: ["CLinux"],
      swiftSettings: strict + [.enableExperimentalFeature("Embedded"), .unsafeFlags(["-wmo"])]),
    // The desktop entry and its icon travel in the program, so that `alarm install` has them wherever it lies.
    .target(
      name: "Commands",
      dependencies: ["Screen", "Engine", "Exchange", "Wire", "Core", "Schedule", "Platform"],
      resources: [.embedInCode("Service/Resources")], swiftSettings: strict),
    room("Screen", uses: ["Wire", "Schedule", "Platform", "CNcurses"]),
    room("Engine", uses: ["Core", "Wire", "Audio", "Store", "Desktop", "Schedule", "Platform", "CLinux"]),
    room("Desktop", uses: ["Platform", "CSystemd"]),
    room("Audio", uses: ["Platform", "CALSA", "CPulse", "CSndfile", "CMpg123", "CSoxr", "CEbur128"]),
    room("Exchange", uses: ["Core", "Schedule", "CLibical"]),
    room("Store", uses: ["Core", "Schedule", "Platform", "CSQLite"]),
    room("Wire", uses: ["Core", "Schedule", "Platform", "CLinux"]),
    room("Core", uses: ["Schedule"]),
    room("Schedule"),
    room("Platform", uses: ["CLinux", "CSystemd"]),

    cLibrary("CNcurses"), cLibrary("CALSA"), cLibrary("CPulse"), cLibrary("CSndfile"),
    cLibrary("CMpg123"), cLibrary("CSoxr"), cLibrary("CEbur128"), cLibrary("CSQLite"), cLibrary("CLinux"),
    cLibrary("CSystemd"), cLibrary("CLibical"),

    .target(
      name: "Harness", dependencies: ["Platform", "CLinux"], path: "Tests/Harness", swiftSettings: strict),
    .executableTarget(
      name: "Bench", dependencies: ["Harness", "Audio", "Schedule", "Platform", "CALSA", "CSndfile"],
      path: "Tests/Bench",
      swiftSettings: strict),
    .executableTarget(
      name: "Pictures", dependencies: ["Harness", "Platform"], path: "Tests/Pictures",
      swiftSettings: strict),
    .executableTarget(
      name: "Fuzz", dependencies: ["Audio", "Screen", "Wire", "Schedule", "Harness", "Platform", "CLinux"],
      path: "Tests/Fuzz",
      swiftSettings: strict),
    tests("ScheduleTests", uses: ["Schedule"]),
    tests("CoreTests", uses: ["Core", "Schedule"]),
    tests(
      "EngineTests", uses: ["Engine", "Audio", "Core", "Desktop", "Wire", "Schedule", "Platform", "Harness"]),
    tests("StoreTests", uses: ["Store", "Core", "Schedule", "Platform"]),
    tests("ExchangeTests", uses: ["Exchange", "Core", "Schedule", "CLibical", "Harness"]),
    tests("PlatformTests", uses: ["Platform", "Harness", "CLinux"]),
    tests("DesktopTests", uses: ["Desktop", "Platform", "Harness"]),
    .executableTarget(
      name: "SoundProbe", dependencies: ["Audio", "Platform"], path: "Tests/SoundProbe",
      swiftSettings: strict),
    .executableTarget(
      name: "HearingProbe", dependencies: ["Audio", "Platform"], path: "Tests/HearingProbe",
      swiftSettings: strict),
    tests(
      "AudioTests", uses: ["Audio", "CALSA", "Platform", "Harness", "SoundProbe", "HearingProbe"]),
    tests("WireTests", uses: ["Wire", "Core", "Schedule", "Platform", "CLinux", "Harness"]),
    tests("CommandsTests", uses: ["Commands", "Wire", "Core", "Schedule", "Platform", "Harness"]),
    .executableTarget(
      name: "ScreenStage", dependencies: ["Screen", "Wire", "Platform"], path: "Tests/ScreenStage",
      swiftSettings: strict),
    .testTarget(
      name: "ScreenTests",
      dependencies: ["Screen", "Wire", "Core", "Schedule", "Platform", "Harness", "ScreenStage"],
      path: "Tests/ScreenTests", exclude: ["Snapshots"], swiftSettings: strict),
    tests("EndToEndTests", uses: ["Harness", "Wire", "Core", "Schedule", "Platform", "alarm"]),
  ]
)
