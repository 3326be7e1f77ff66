import select

PIECE = 1 << 16
ONE_PIPE = 1 << 20
PATIENCE = 1000  # ms


class Tap:
    """One output stream of the worker: passed on up to a limit, counted beyond it."""

    def __init__(self, fd, kind):
        self.fd = fd
        self.kind = kind
        self.early = bytearray()
        self.begin(0)
        os.set_blocking(fd, False)

    def begin(self, limit):
        self.left = limit
        self.total = 0


class Keeper:
    def __init__(self, requests, answers):
        self.requests = requests
        self.answers = answers
        self.frames = Frames()
        self.pid = 0
        self.run = 0
        self.begun = False
        self.wanted = False  # an interrupt, as soon as it has begun
        self.taps = []
        self.says = -1
        self.hears = -1
        self.wakes, wakeup = os.pipe()
        for fd in (self.wakes, wakeup):
            os.set_blocking(fd, False)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, where: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def tell(self, kind, run, fields):
        write_all(self.answers, frame(kind, run, fields))

    def start(self):
        """Starts a worker. What an earlier one had defined is gone."""
        worker_hears, self.says = os.pipe()
        self.hears, worker_says = os.pipe()
        out, worker_out = os.pipe()
        err, worker_err = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            become_worker(worker_hears, worker_says, worker_out, worker_err)
        try:
            os.setpgid(self.pid, self.pid)
        except OSError:
            pass  # it was faster, or it is gone
        for fd in (worker_hears, worker_says, worker_out, worker_err):
            os.close(fd)
        os.set_blocking(self.hears, False)
        self.taps = [Tap(out, STDOUT), Tap(err, STDERR)]
        self.worker_frames = Frames()

    def serve(self):
        self.start()
        while True:
            watched = select.poll()
            for fd in [self.requests, self.wakes]:
                watched.register(fd, select.POLLIN)
            if self.pid:
                for fd in [self.hears] + [tap.fd for tap in self.taps]:
                    if fd >= 0:
                        watched.register(fd, select.POLLIN)
            ready = [fd for fd, events in watched.poll(PATIENCE if self.pid and self.hears < 0 else None)]
            if not ready:
                self.cut_off("it closed its channel")
                continue
            if self.requests in ready and not self.requested():
                return
            if self.wakes in ready:
                self.woken()
            for tap in self.taps:
                if tap.fd in ready:
                    self.relay(tap, PIECE)
            if self.pid and self.hears in ready:
                self.heard()

    def requested(self):
        data = os.read(self.requests, PIECE)
        for kind, run, fields in self.frames.feed(data):
            if kind == RUN:
                self.begin(run, fields)
            elif run == self.run and self.pid:
                if kind != INTERRUPT:
                    self.signal(signal.SIGKILL)
                elif self.begun:
                    self.signal(signal.SIGINT)
                else:
                    self.wanted = True
        return bool(data)

    def signal(self, number):
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:
            pass

    def begin(self, run, fields):
        if not self.pid:
            self.start()
        self.run = run
        self.begun = self.wanted = False
        for tap in self.taps:
            tap.begin(int(fields[1]))
            early, tap.early = tap.early, bytearray()
            self.passed(tap, bytes(early))
        try:
            write_all(self.says, frame(RUN, run, [fields[0], fields[2]]))
        except BrokenPipeError:
            pass  # it died; SIGCHLD tells

    def relay(self, tap, most):
        """Passes on what is there, at most so much; output between two runs is kept for the next one."""
        while most > 0 and tap.fd >= 0:
            try:
                data = os.read(tap.fd, min(most, PIECE))
            except BlockingIOError:
                return
            if not data:
                os.close(tap.fd)
                tap.fd = -1
                return
            most -= len(data)
            if self.run:
                self.passed(tap, data)
            else:
                tap.early += data[:max(0, PIECE - len(tap.early))]

    def passed(self, tap, data):
        tap.total += len(data)
        data = data[:tap.left]
        tap.left -= len(data)
        if data:
            self.tell(tap.kind, self.run, [data])

    def heard(self):
        try:
            data = os.read(self.hears, PIECE)
            if not data:
                # Closed by its death, which SIGCHLD tells in a moment, or by the code.
                os.close(self.hears)
                self.hears = -1
            for kind, run, fields in self.worker_frames.feed(data):
                self.answered(kind, run, fields)
        except BlockingIOError:
            pass
        except Broken as e:
            self.cut_off(str(e))

    def cut_off(self, why):
        self.signal(signal.SIGKILL)
        self.buried(os.waitpid(self.pid, 0)[1], why)

    def answered(self, kind, run, fields):
        if kind == READY and run == 0:
            self.tell(READY, 0, fields)
            return
        if run != self.run or run == 0 or kind not in (BEGUN, DISPLAY, VALUE, RAISED, DONE):
            raise Broken("a frame of kind %r for run %d came while run %d was on" % (kind, run, self.run))
        if kind == BEGUN:
            self.begun = True
            if self.wanted:
                self.signal(signal.SIGINT)
            return
        if kind != DONE:
            self.tell(kind, run, fields)
            return
        # What the code wrote before it was done is in the pipes.
        for tap in self.taps:
            self.relay(tap, ONE_PIPE)
        self.run = 0
        self.tell(DONE, run, fields + [b"%d" % tap.total for tap in self.taps])

    def woken(self):
        try:
            os.read(self.wakes, 4096)
        except BlockingIOError:
            pass
        while self.pid:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self.buried(status, "")

    def buried(self, status, broken):
        """The worker is dead. Its last words first."""
        if not broken:
            try:
                for kind, run, fields in self.worker_frames.feed(self.remains()):
                    if kind != READY and run == self.run and kind in (DISPLAY, VALUE, RAISED):
                        self.tell(kind, run, fields)
            except Broken:
                pass
        for tap in self.taps:
            self.relay(tap, ONE_PIPE)
            if tap.fd >= 0:
                os.close(tap.fd)
        os.close(self.says)
        if self.hears >= 0:
            os.close(self.hears)
        self.signal(signal.SIGKILL)  # what it started in its group
        how, number = ("signal", os.WTERMSIG(status)) if os.WIFSIGNALED(status) else ("exit", os.WEXITSTATUS(status))
        totals = [b"%d" % tap.total for tap in self.taps]
        self.pid, run, self.run, self.taps = 0, self.run, 0, []
        self.tell(DIED, run, [how.encode(), b"%d" % number, broken.encode()] + totals)

    def remains(self):
        data = bytearray()
        try:
            while self.hears >= 0 and len(data) < MOST:
                piece = os.read(self.hears, PIECE)
                if not piece:
                    break
                data += piece
        except BlockingIOError:
            pass
        return bytes(data)


def main():
    # The protocol leaves the standard streams, so that nothing which prints by mistake breaks it.
    requests, answers = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 100) for fd in (0, 1))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    keeper = Keeper(requests, answers)
    try:
        keeper.serve()
    except BrokenPipeError:
        pass
    finally:
        if keeper.pid:
            keeper.signal(signal.SIGKILL)


main()
