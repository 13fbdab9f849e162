/// The steps from one shape of the database to the next; `user_version` says how many were made.
enum Migrations {
  /// `Rvle` in letters: what tells our database from another program's.
  static let applicationID: Int64 = 0x5276_6c65

  static let all = [first, second, third, fourth, fifth]

  /// Instants, spans and boot times are microseconds; dates are ISO 8601.
  private static let first = """
    CREATE TABLE alarms (
      id INTEGER PRIMARY KEY,
      rule TEXT NOT NULL,
      zone TEXT,
      label TEXT NOT NULL,
      sound TEXT,
      volume INTEGER,
      fade INTEGER,
      snooze INTEGER,
      snoozeLimit INTEGER,
      silenceAfter INTEGER,
      body TEXT NOT NULL,
      info TEXT,
      until TEXT,
      count INTEGER,
      version INTEGER NOT NULL,
      enabled INTEGER NOT NULL,
      spent INTEGER NOT NULL,
      counted INTEGER NOT NULL,
      endBootID TEXT,
      endBoot INTEGER,
      endWall INTEGER,
      created INTEGER NOT NULL
    );
    CREATE TABLE occurrences (
      id TEXT PRIMARY KEY,
      alarm INTEGER NOT NULL,
      due INTEGER NOT NULL,
      state TEXT NOT NULL,
      reason TEXT,
      label TEXT NOT NULL,
      late INTEGER,
      lateReason TEXT,
      heard INTEGER NOT NULL,
      since INTEGER,
      snoozeBootID TEXT,
      snoozeBoot INTEGER,
      snoozeWall INTEGER,
      snoozeSpan INTEGER,
      snoozes INTEGER NOT NULL,
      unanswered INTEGER NOT NULL,
      sounded INTEGER NOT NULL,
      sound TEXT,
      attempts TEXT,
      passedOver TEXT,
      notes TEXT,
      settledAt INTEGER,
      reopened INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX occurrencesOfAlarm ON occurrences (alarm, due);
    CREATE INDEX occurrencesLive ON occurrences (state) WHERE settledAt IS NULL;
    CREATE INDEX occurrencesSettled ON occurrences (settledAt);
    CREATE TABLE queue (
      place INTEGER PRIMARY KEY,
      path TEXT NOT NULL,
      title TEXT NOT NULL,
      artist TEXT NOT NULL,
      album TEXT NOT NULL,
      duration INTEGER
    );
    CREATE TABLE leases (
      id INTEGER PRIMARY KEY,
      owner TEXT NOT NULL,
      reason TEXT NOT NULL,
      kinds TEXT,
      endBootID TEXT NOT NULL,
      endBoot INTEGER NOT NULL,
      endWall INTEGER NOT NULL,
      span INTEGER NOT NULL
    );
    CREATE TABLE state (
      key TEXT PRIMARY KEY,
      value
    ) WITHOUT ROWID;
    """

  /// Levels of the system that are raised for a ring; how loud files were measured to be (thousandths).
  private static let second = """
    CREATE TABLE raised (
      control TEXT PRIMARY KEY,
      before TEXT NOT NULL,
      after TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE loudness (
      path TEXT NOT NULL UNIQUE,
      size INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      loudness INTEGER,
      peak INTEGER NOT NULL,
      attempts INTEGER NOT NULL
    );
    """

  /// What a notification carries besides its text, and a command for the ring.
  private static let third = """
    ALTER TABLE alarms ADD COLUMN action TEXT NOT NULL DEFAULT '';
    ALTER TABLE alarms ADD COLUMN badge INTEGER;
    ALTER TABLE alarms ADD COLUMN run TEXT NOT NULL DEFAULT '';
    """

  /// The dates an alarm leaves out.
  private static let fourth = "ALTER TABLE alarms ADD COLUMN skips TEXT"

  /// Notifications that have not been dealt with, and what happened to each occurrence.
  private static let fifth = """
    ALTER TABLE occurrences ADD COLUMN ran INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE inbox (
      occurrence TEXT PRIMARY KEY,
      label TEXT NOT NULL,
      body TEXT NOT NULL,
      action TEXT NOT NULL,
      info TEXT,
      at INTEGER NOT NULL,
      state TEXT NOT NULL,
      reason TEXT
    ) WITHOUT ROWID;
    CREATE TABLE story (
      number INTEGER PRIMARY KEY,
      occurrence TEXT NOT NULL,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      text TEXT NOT NULL,
      reason TEXT,
      since INTEGER,
      until INTEGER,
      span INTEGER
    );
    CREATE INDEX storyOfOccurrence ON story (occurrence, number);
    CREATE INDEX occurrencesDue ON occurrences (due);
    """

  /// Brings a database to the newest shape, all steps or none.
  static func run(_ migrations: [String], on database: Database) throws(StoreError) {
    let version = Int(try database.integer("PRAGMA user_version") ?? 0)
    guard version < migrations.count else { return }
    try database.transaction { () throws(StoreError) in
      for step in migrations[version...] { try database.run(step) }
      try database.run("PRAGMA application_id = \(applicationID)")
      try database.run("PRAGMA user_version = \(migrations.count)")
    }
  }
}
