"""Somebody at a terminal: drives a command through a pseudo-terminal, by what it shows and never by time.

Usage: terminal.py STEPS COMMAND...; STEPS is a file, one step a line:
  expect TEXT     waits until the screen shows it, after what was seen before
  type TEXT       types it (Python escapes)
  size ROWS COLS  changes the window
  until TEXT CMD  types CMD and Enter, at each prompt again, until the screen shows TEXT
  run CMD         runs a shell command outside; its output is printed
  signal NUMBER   sends a signal to the command
The exit code is printed last, and whether the terminal's mode is what it was.
"""
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

steps = [line.rstrip("\n") for line in open(sys.argv[1])]
master, slave = pty.openpty()
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
before = termios.tcgetattr(slave)
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for fd in (0, 1, 2):
        os.dup2(slave, fd)
    os.closerange(3, 256)
    os.execvp(sys.argv[2], sys.argv[2:])
screen = b""


def read(seconds):
    global screen
    if not select.select([master], [], [], seconds)[0]:
        return False
    screen += os.read(master, 65536)
    return True


def expect(text):
    global screen
    deadline = time.monotonic() + 120
    while text not in screen:
        if not read(max(0, deadline - time.monotonic())):
            print("waited in vain for %r, saw %r" % (text, screen))
            os._exit(1)
    screen = screen[screen.index(text) + len(text):]


for step in steps:
    word, _, rest = step.partition(" ")
    plain = rest.encode().decode("unicode_escape").encode("latin-1")
    if word == "expect":
        expect(plain)
    elif word == "type":
        os.write(master, plain)
    elif word == "size":
        rows, columns = map(int, rest.split())
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    elif word == "until":
        text, _, command = rest.partition(" ")
        while text.encode() not in screen:
            os.write(master, command.encode() + b"\r")
            expect(command.encode())
            while b"$ " not in screen:
                read(1)
        expect(text.encode())
    elif word == "run":
        done = subprocess.run(rest, shell=True, capture_output=True, text=True)
        print("%s%s[%d]" % (done.stdout, done.stderr, done.returncode))
    elif word == "signal":
        os.kill(pid, int(rest))
status = None
turns = 0
while status is None:
    turns = 0 if read(0.05) else turns + 1
    if turns > 2000:
        print("it does not end, saw %r" % screen)
        os.kill(pid, 9)
    ended, code = os.waitpid(pid, os.WNOHANG)
    if ended:
        status = os.waitstatus_to_exitcode(code)
print("exit %d" % status)
print("mode restored" if termios.tcgetattr(slave) == before else "mode CHANGED")
