// SQLite. The destructor constants are casts in macros, which Swift does not import.
#ifndef REVEILLE_CSQLITE_H
#define REVEILLE_CSQLITE_H
#include <sqlite3.h>

// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
static inline int reveille_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}
static inline int reveille_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
#endif
