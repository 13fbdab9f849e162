// What Linux offers and Swift's own Glibc module leaves out.
// _GNU_SOURCE must stand before the first system header, or accept4, pipe2 and struct ucred are not declared.
#ifndef REVEILLE_CLINUX_H
#define REVEILLE_CLINUX_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
// With __USE_XOPEN the field of fd_set has another name than in the modules that see no _GNU_SOURCE (Swift's own Glibc,
// alsa-lib's header), and the compiler refuses to merge the two.
#include <features.h>
#pragma push_macro("__USE_XOPEN")
#undef __USE_XOPEN
#include <sys/select.h>
#pragma pop_macro("__USE_XOPEN")
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <spawn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// open(2) is variadic and therefore not imported.
static inline int reveille_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

// fcntl(2) is variadic too; these are the uses of it.
static inline int reveille_set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? flags : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}
static inline int reveille_appends(int fd) { return fcntl(fd, F_GETFL) & O_APPEND; }
static inline int reveille_set_cloexec(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC); }

// With _GNU_SOURCE the address is a transparent union, which Swift cannot be given a null pointer for.
static inline int reveille_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

// ioctl(2) is variadic; the size of the terminal is the one request made by hand.
static inline int reveille_terminal_size(int fd, unsigned short *rows, unsigned short *columns) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) < 0) return -1;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return 0;
}

// prctl(2) is variadic.
static inline int reveille_set_parent_death_signal(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

// The names of a wait status are macros.
static inline int reveille_exited(int status) { return WIFEXITED(status); }
static inline int reveille_exit_status(int status) { return WEXITSTATUS(status); }
static inline int reveille_signaled(int status) { return WIFSIGNALED(status); }
static inline int reveille_term_signal(int status) { return WTERMSIG(status); }

// Inside struct sigaction the handler is a macro over a union.
static inline void reveille_signal_ignore(int number) { signal(number, SIG_IGN); }
static inline void reveille_signal_default(int number) { signal(number, SIG_DFL); }
static inline int reveille_signal_handle(int number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, NULL);
}

// si_status hides in a union behind a macro; the name of an inotify event is a flexible array member.
static inline int reveille_child_status(const siginfo_t *info) { return info->si_status; }
static inline const char *reveille_inotify_name(const struct inotify_event *event) {
  return event->len > 0 ? event->name : NULL;
}

// <malloc.h> is no part of Swift's Glibc module.
static inline void reveille_return_memory(void) { malloc_trim(0); }

// dl_iterate_phdr's structures have members that Swift does not import. What starting took of code and constants stays
// resident although it is never run again: dropping the pages that are only read costs a minor fault where one is needed
// again, out of the page cache. Segments that are written to, or were relocated, are left alone.
static int reveille_drop_segments(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[index];
    if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
    uintptr_t page = 4096, start = (info->dlpi_addr + part->p_vaddr) & ~(page - 1);
    uintptr_t end = (info->dlpi_addr + part->p_vaddr + part->p_filesz + page - 1) & ~(page - 1);
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}
static inline void reveille_return_code(void) { dl_iterate_phdr(reveille_drop_segments, NULL); }

// struct timex has bit fields and unions. Asking changes nothing (adjtimex(2)).
static inline int reveille_clock_is_synchronised(void) {
  struct timex state;
  memset(&state, 0, sizeof state);
  int result = adjtimex(&state);
  return result >= 0 && result != TIME_ERROR && !(state.status & STA_UNSYNC);
}

// Both this module and Swift's Glibc declare environ, so its plain name is ambiguous.
static inline char **reveille_environ(void) { return environ; }
#endif
