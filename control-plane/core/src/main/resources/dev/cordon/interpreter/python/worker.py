import ast
import builtins
import fcntl
import io
import linecache
import signal
import sys
import traceback
import types

MOST_TEXT = 256 << 10
HIDDEN = (DRIVER, "<frozen importlib")


def cut(text, most=MOST_TEXT):
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= most:
        return data, b"0"
    return data[:most].decode("utf-8", "ignore").encode(), b"1"


class Worker:
    def __init__(self, requests, answers):
        self.requests = requests
        self.answers = answers
        self.pid = os.getpid()
        self.run = 0
        self.running = False
        self.sending = False
        self.held = False
        self.loop = None
        self.screen = Screen(self.send)
        self.main = types.ModuleType("__main__")
        self.main.__dict__["display"] = self.screen.display

    def send(self, kind, fields):
        # A process that the code forked has our descriptor but is not us.
        if os.getpid() != self.pid:
            return
        data = frame(kind, self.run, fields)
        self.sending = True
        try:
            write_all(self.answers, data)
        finally:
            self.sending = False
        if self.held:
            self.held = False
            if self.running:
                raise KeyboardInterrupt

    def interrupted(self, number, where):
        # Half a frame would be the end of the protocol.
        if self.sending:
            self.held = True
        elif self.running:
            raise KeyboardInterrupt

    def serve(self):
        sys.modules["__main__"] = self.main
        sys.meta_path.insert(0, Figures(self.screen))
        sys.path.insert(0, "")
        sys.argv = [""]
        signal.signal(signal.SIGINT, self.interrupted)
        self.send(READY, [("Python %d.%d.%d" % sys.version_info[:3]).encode()])
        frames = Frames()
        while True:
            data = os.read(self.requests, 1 << 16)
            if not data:
                return
            for kind, run, fields in frames.feed(data):
                self.evaluate(run, fields[0].decode("utf-8", "replace"), int(fields[1]))

    def evaluate(self, run, code, displays):
        self.run = run
        self.held = False
        self.screen.begin(displays)
        signal.signal(signal.SIGINT, self.interrupted)
        how = b"finished"
        try:
            self.running = True
            try:
                self.send(BEGUN, [])
                self.execute(code, "<run-%d>" % run)
                self.screen.figures()
                self.flush()
            finally:
                self.running = False
        except KeyboardInterrupt as e:
            how = b"interrupted"
            self.explain(e)
        except SystemExit as e:
            if e.code not in (None, 0):
                how = b"raised"
                self.explain(e)
        except BaseException as e:
            how = b"raised"
            self.explain(e)
        if os.getpid() != self.pid:
            # A fork of the user's that ran to the end of the code: as in a script, it ends there.
            self.flush()
            os._exit(0 if how == b"finished" else 1)
        self.flush()
        self.send(DONE, [how, b"%d" % self.screen.dropped])

    def execute(self, code, name):
        lines = code.splitlines(True)
        linecache.cache[name] = (len(code), None, lines, name)
        tree = compile(code, name, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        if tree.body:
            self.call(tree, name, "exec")
        if last is None:
            return
        value = self.call(ast.Expression(last.value), name, "eval")
        if value is None:
            return
        builtins._ = value
        found = representations(value)
        if is_figure(value):
            close = getattr(sys.modules.get("matplotlib.pyplot"), "close", None)
            if close is not None:
                close(value)
        self.send(VALUE, list(cut(repr(value))))
        if found:
            self.screen.show(found)

    def call(self, tree, name, mode):
        program = compile(tree, name, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        if not program.co_flags & 0x80:  # inspect.CO_COROUTINE
            return eval(program, self.main.__dict__)
        import asyncio

        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        task = self.loop.create_task(eval(program, self.main.__dict__))
        try:
            return self.loop.run_until_complete(task)
        except KeyboardInterrupt:
            task.cancel()
            raise

    def explain(self, error):
        try:
            told = traceback.TracebackException.from_exception(error)
            self.forget_driver(told)
            text = "".join(told.format())
            stack = list(told.stack)[-64:]
            message = str(error)
        except BaseException as e:
            text, stack, message = "%s: (it cannot be shown: %s)\n" % (type(error).__name__, type(e).__name__), [], ""
        fields = [type(error).__name__.encode("utf-8", "replace"), cut(message)[0], cut(text)[0]]
        for at in stack:
            for part in (at.filename, str(at.lineno or 0), at.name, at.line or ""):
                fields.append(cut(part, 4096)[0])
        self.send(RAISED, fields)

    def forget_driver(self, told):
        seen = []
        while told is not None and told not in seen and len(seen) < 100:
            seen.append(told)
            told.stack[:] = [at for at in told.stack if not at.filename.startswith(HIDDEN)]
            told = told.__cause__ or told.__context__

    def flush(self):
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass


def text_output(fd):
    return io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(fd, "w", closefd=False)), "utf-8", "backslashreplace", line_buffering=True)


def become_worker(requests, answers, stdout, stderr):
    """Called in the fork: the standard streams are the user's from here on, the protocol is out of the way."""
    os.setpgid(0, 0)
    null = os.open(os.devnull, os.O_RDONLY)
    kept = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 200) for fd in (requests, answers)]
    for fd, target in ((null, 0), (stdout, 1), (stderr, 2)):
        os.dup2(fd, target)
    os.closerange(3, 200)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8")
    sys.stdout = sys.__stdout__ = text_output(1)
    sys.stderr = sys.__stderr__ = text_output(2)
    code = 1
    try:
        Worker(*kept).serve()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
