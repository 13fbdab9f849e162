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
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// Declared by <wchar.h> only where __USE_XOPEN was set before the C library's module was built.
extern int wcwidth(wchar_t character);

// Of <term.h>, which also defines `lines`, `columns` and hundreds more as macros.
extern int setupterm(const char *term, int fd, int *status);

// A capability of the terminal as a string; tigetstr(3) answers (char *)-1 for a name that is no string.
static inline const char *reveille_capability(const char *name) {
  char *text = tigetstr(name);
  return text == (char *)-1 ? NULL : text;
}

// A capability with two numbers put in; tparm(3) is variadic. The text is curses' own and holds until the next call.
static inline const char *reveille_filled(const char *name, int first, int second) {
  const char *text = reveille_capability(name);
  return text == NULL ? NULL : tparm(text, first, second, 0, 0, 0, 0, 0, 0, 0);
}

// ioctl(2) is variadic.
static inline int reveille_screen_size(int fd, unsigned short *rows, unsigned short *columns) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) < 0) return -1;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return 0;
}

// The rescue: what gives the terminal back when the process dies by a trap. All of it is C, because only
// async-signal-safe calls may be made there (signal-safety(7)) and Swift's own first access to a global is none.
// The state is the caller's: a static in a header is one for each object file, and over how many of those the callers are
// spread is the optimiser's affair.
struct reveille_rescue {
  volatile sig_atomic_t armed;
  int fd;
  struct termios modes;
  char bytes[512];
  size_t count;
  struct sigaction before[NSIG];
};

// Kept for as long as the process lives; NULL where there is no memory.
static inline struct reveille_rescue *reveille_rescue_make(void) {
  return (struct reveille_rescue *)calloc(1, sizeof(struct reveille_rescue));
}

// What the handler goes by. It and the one that installs it are in one object file, whichever that is.
static inline struct reveille_rescue **reveille_rescue_current(void) {
  static struct reveille_rescue *current;
  return &current;
}

static inline void reveille_rescue_handle(int number) {
  struct reveille_rescue *state = *reveille_rescue_current();
  int code = errno;
  if (state->armed) {
    state->armed = 0;
    // From the background tcsetattr(3) would stop the process that is about to die.
    sigset_t output;
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &output, NULL);
    ssize_t written = write(state->fd, state->bytes, state->count);
    (void)written;
    tcsetattr(state->fd, TCSANOW, &state->modes);
  }
  errno = code;
  // The default action, or that of whoever wants to see the trap. The signal is blocked until the return, and then
  // ends the process.
  sigaction(number, &state->before[number], NULL);
  raise(number);
}

// Installs the handler for the signals of a trap, on a stack of its own: the usual one may be what overflowed.
static inline void reveille_rescue_install(struct reveille_rescue *state) {
  static char stack[65536];
  static const int numbers[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
  *reveille_rescue_current() = state;
  stack_t other;
  memset(&other, 0, sizeof other);
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = reveille_rescue_handle;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  // Swift's own handler asks questions on the terminal; whoever set the variable wants it, and nobody else.
  bool keeps_handler = getenv("SWIFT_BACKTRACE") != NULL;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    sigaction(numbers[i], &action, &state->before[numbers[i]]);
    if (!keeps_handler) state->before[numbers[i]].sa_handler = SIG_DFL;
  }
}

// Remembers how the terminal is before it is changed.
static inline int reveille_rescue_remember(struct reveille_rescue *state, int fd) {
  state->fd = fd;
  return tcgetattr(fd, &state->modes);
}

static inline void reveille_rescue_arm(struct reveille_rescue *state, const char *bytes, size_t count) {
  state->count = count < sizeof state->bytes ? count : sizeof state->bytes;
  memcpy(state->bytes, bytes, state->count);
  state->armed = 1;
}

static inline void reveille_rescue_disarm(struct reveille_rescue *state) { state->armed = 0; }

// Gives back how the terminal was; what it has not sent yet is not waited for, because it may never be.
static inline void reveille_rescue_give_back(const struct reveille_rescue *state) {
  tcsetattr(state->fd, TCSANOW, &state->modes);
}

// Keys one by one, not shown, Enter told apart from Ctrl-J. Ctrl-C and Ctrl-Z stay signals; Ctrl-S must not freeze the screen,
// Ctrl-V and Ctrl-O are nobody's here.
static inline void reveille_own_keys(const struct reveille_rescue *state, int fd) {
  struct termios modes = state->modes;
  modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF | ICRNL | INLCR);
  modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  tcsetattr(fd, TCSANOW, &modes);
}

// Stops the process as Ctrl-Z does, with the default action; returns when it is continued.
static inline void reveille_stop_self(void) {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &action, &before);
  raise(SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
  pthread_sigmask(SIG_BLOCK, &stop, NULL);
  sigaction(SIGTSTP, &before, NULL);
}
#endif
