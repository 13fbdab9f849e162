#!/usr/bin/python3
"""A terminal for tests: a program in a pseudo-terminal, drawn by pyte, which knows nothing of ncurses.

    emulator.py COLUMNS ROWS [--plain] [--kitty] -- PROGRAM ARGUMENT...

Commands come on standard input, one a line. The answer is a line with the number of its bytes, and those bytes:

    send HEX          types bytes
    screen            a line `column row shown` of the cursor, a line for each row, and a line for each row with its cells:
                      text, foreground, background and flags between U+001E, the cells between U+001F
    lines             a line for each row, and nothing else
    modes             lines: what is switched on, the stack of kitty's keyboard, the terminal's own settings
    resize COLUMNS ROWS
    bytes             what was written since this was last asked
    count             how many bytes were written
    status            how the program ended; empty while it runs
    stop, go-on       takes nothing more, as after Ctrl-S, and takes it again

--plain counts bytes and draws nothing; --kitty answers as a terminal does that has kitty's keyboard protocol and
synchronized output.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios

import pyte

MODES = {"1049": "alternate", "2004": "paste", "1004": "focus", "1000": "mouse", "1002": "mouse", "1003": "mouse",
         "1006": "mouse-coordinates", "1": "cursor-keys", "25": "cursor", "2026": "synchronized"}

class Screen(pyte.Screen):
    """pyte's, with what xterm's description promises beyond it."""

    last = " "

    def draw(self, data):
        super().draw(data)
        if data:
            self.last = data[-1]

    def repeat(self, count=1):
        self.draw(self.last * max(1, count))

    def erase_in_line(self, how=0, private=False):
        super().erase_in_line(how, private)
        self.colour([self.cursor.y], how)

    def erase_in_display(self, how=0, *arguments, **private):
        super().erase_in_display(how, *arguments, **private)
        if how in (2, 3):
            self.colour(range(self.lines), 2)

    def colour(self, rows, how):
        """What is erased gets the present background, also where nothing was written before; pyte forgets those cells."""
        first, end = {0: (self.cursor.x, self.columns), 1: (0, self.cursor.x + 1), 2: (0, self.columns)}[how]
        for row in rows:
            for column in range(first, end):
                self.buffer[row][column] = self.cursor.attrs._replace(data=" ")

    def write_process_input(self, data):
        os.write(master, data.encode())

class Stream(pyte.ByteStream):
    csi = dict(pyte.ByteStream.csi, b="repeat")
    events = frozenset(list(pyte.ByteStream.events) + ["repeat"])

def watch(data):
    """Keeps count of the modes, answers what is asked, and takes away what pyte would print."""
    global rest, kitty
    data = rest + data
    cut = re.search(rb"\x1b(\[[0-?]*[ -/]*)?$", data)
    rest = data[cut.start():] if cut else b""
    data = data[:cut.start()] if cut else data
    for numbers, final in re.findall(rb"\x1b\[\?([0-9;]+)([hl])", data):
        for number in numbers.decode().split(";"):
            if number in MODES:
                (on.add if final == b"h" else on.discard)(MODES[number])
    for final in re.findall(rb"\x1b([=>])", data):
        (on.add if final == b"=" else on.discard)("keypad")
    for sign, flags in re.findall(rb"\x1b\[([<>])([0-9]*)u", data):
        kitty = kitty + [int(flags or b"0")] if sign == b">" else kitty[:-1]
    if is_kitty:
        if b"\x1b[?u" in data:
            os.write(master, b"\x1b[?0u")
        if b"\x1b[?2026$p" in data:
            os.write(master, b"\x1b[?2026;2$y")
    return re.sub(rb"\x1b\[[<>=?][0-9;]*u|\x1b\[\?[0-9]+\$p", b"", data)

def answer(command):
    global asked
    do, *words = command.split()
    if do == "send":
        data = bytes.fromhex(words[0])
        while data:
            data = data[os.write(master, data):]
    elif do == "screen":
        lines = [f"{screen.cursor.x} {screen.cursor.y} {int(not screen.cursor.hidden)}"]
        lines += [line.rstrip() for line in screen.display]
        for row in range(screen.lines):
            cells = (screen.buffer[row][column] for column in range(screen.columns))
            lines.append("\x1f".join("\x1e".join((c.data, c.fg, c.bg, flags(c))) for c in cells))
        return "\n".join(lines).encode()
    elif do == "lines":
        return "\n".join(line.rstrip() for line in screen.display).encode()
    elif do == "modes":
        return "\n".join((" ".join(sorted(on)), " ".join(map(str, kitty)), repr(termios.tcgetattr(slave)))).encode()
    elif do == "resize":
        screen.resize(int(words[1]), int(words[0]))
        resize(int(words[0]), int(words[1]))
    elif do == "bytes":
        new = bytes(written[asked:])
        asked = len(written)
        return new
    elif do == "count":
        return str(len(written)).encode()
    elif do == "stop":
        termios.tcflow(slave, termios.TCOOFF)
    elif do == "go-on":
        termios.tcflow(slave, termios.TCOON)
    elif do == "status":
        return b"" if ended() is None else str(status).encode()
    else:
        raise ValueError(do)
    return b""


def flags(cell):
    names = (("bold", cell.bold), ("underlined", cell.underscore), ("reversed", cell.reverse))
    return " ".join(name for name, is_on in names if is_on)


def resize(columns, rows):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

def ended():
    global status
    if status is None:
        found, word = os.waitpid(child, os.WNOHANG)
        if found:
            status = os.waitstatus_to_exitcode(word)
    return status

split = sys.argv.index("--")
columns, rows = int(sys.argv[1]), int(sys.argv[2])
is_plain, is_kitty = "--plain" in sys.argv[:split], "--kitty" in sys.argv[:split]
words = sys.argv[split + 1:]
rest, kitty, on, status = b"", [], {"cursor"}, None
written, asked = bytearray(), 0
screen = Screen(columns, rows)
stream = Stream(screen)

# The terminal's end stays open here too, so that its settings can be asked for when the program is gone.
master, slave = pty.openpty()
resize(columns, rows)
child = os.fork()
if child == 0:
    os.close(master)
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for number in range(3):
        os.dup2(slave, number)
    os.execvp(words[0], words)

commands = b""
while True:
    ready = select.select([0, master], [], [])[0]
    if master in ready:
        data = os.read(master, 65536)
        written += data
        if not is_plain:
            stream.feed(watch(data))
        continue
    more = os.read(0, 65536)
    if not more:
        break
    commands += more
    while b"\n" in commands:
        line, commands = commands.split(b"\n", 1)
        reply = answer(line.decode())
        sys.stdout.buffer.write(b"%d\n%s" % (len(reply), reply))
        sys.stdout.buffer.flush()
if ended() is None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
