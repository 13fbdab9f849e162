// SQLite: statements, migrations, alarms, occurrences, queue.
