// libsystemd: the event loop (sd-event), the message bus (sd-bus), readiness and watchdog messages (sd-daemon).
#ifndef REVEILLE_CSYSTEMD_H
#define REVEILLE_CSYSTEMD_H
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#endif
