// ncursesw. Macros that Swift does not import stand here as inline functions.
#ifndef REVEILLE_CNCURSES_H
#define REVEILLE_CNCURSES_H
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#ifndef NCURSES_WIDECHAR
#define NCURSES_WIDECHAR 1
#endif
#include <locale.h>
#include <curses.h>
#include <wchar.h>
#endif
