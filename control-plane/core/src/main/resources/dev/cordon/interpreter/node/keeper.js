function keep() {
  const { spawn } = require('child_process');
  const EARLY = 1 << 16;
  const LOADER = 'const fs = require("fs");'
    + 'const read = (count) => { const data = Buffer.alloc(count); for (let at = 0; at < count;) {'
    + ' const got = fs.readSync(3, data, at, count - at, null); if (got === 0) process.exit(1); at += got; } return data; };'
    + 'const program = read(read(4).readUInt32BE()).toString();'
    + 'require("vm").runInThisContext(`(function (require, process, program) {${program}\\n})`,'
    + ' { filename: "cordon:driver" })(require, process, program);';

  let worker = null;
  let run = 0;
  const tell = (kind, number, fields) => writeAll(1, frame(kind, number, fields));

  function signal(name) {
    try {
      process.kill(-worker.process.pid, name);
    } catch {
      // It is gone.
    }
  }

  // One output stream: passed on up to a limit, counted beyond it; what comes between two runs is kept for the next one.
  function tap(stream, kind) {
    const self = { kind, stream, left: 0, total: 0, early: Buffer.alloc(0) };
    self.pass = (data) => {
      self.total += data.length;
      const kept = data.subarray(0, self.left);
      self.left -= kept.length;
      if (kept.length > 0) tell(kind, run, [kept]);
    };
    stream.on('data', (data) => {
      if (run !== 0) self.pass(data);
      else self.early = Buffer.concat([self.early, data.subarray(0, EARLY - self.early.length)]);
    });
    stream.on('error', () => {});
    return self;
  }

  // Starts a worker. What an earlier one had defined is gone.
  function start() {
    const child = spawn(process.execPath, ['-e', LOADER], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, [WORKER]: '1' },
    });
    const self = { process: child, frames: new Frames(), broken: '', taps: [tap(child.stdout, 'O'), tap(child.stderr, 'E')] };
    worker = self;
    const source = Buffer.from(program);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(source.length);
    child.stdio[3].on('error', () => {});
    child.stdio[3].write(Buffer.concat([length, source]));
    child.stdio[5].on('error', () => {});
    child.stdio[4].on('data', (data) => heard(self, data));
    child.stdio[4].on('error', () => {});
    child.stdio[4].on('end', () => setTimeout(() => cutOff(self, 'it closed its channel'), 1000).unref());
    child.on('exit', (code, name) => setImmediate(() => buried(self, code, name)));
    child.on('error', (error) => {
      process.stderr.write(`${error}\n`);
      process.exit(1);
    });
  }

  function cutOff(self, why) {
    if (worker === self && !self.broken) {
      self.broken = why;
      signal('SIGKILL');
    }
  }

  function heard(self, data) {
    if (self !== worker || self.broken) return;
    try {
      for (const answer of self.frames.feed(data)) answered(self, answer);
    } catch (e) {
      if (!(e instanceof Broken)) throw e;
      cutOff(self, e.message);
    }
  }

  function answered(self, { kind, run: number, fields }) {
    if (kind === 'Y' && number === 0) {
      tell('Y', 0, fields);
    } else if (number !== run || number === 0 || !'DVXF'.includes(kind)) {
      throw new Broken(`a frame of kind ${kind.charCodeAt(0)} for run ${number} came while run ${run} was on`);
    } else if (kind !== 'F') {
      tell(kind, number, fields);
    } else {
      drained(self, () => {
        if (worker !== self || run !== number) return;
        run = 0;
        tell('F', number, [...fields, ...self.taps.map((one) => one.total)]);
      });
    }
  }

  // What the code wrote before it was done lies in the sockets; two turns of the loop without any of it are its end.
  function drained(self, then) {
    let quiet = 0;
    let seen = -1;
    let turns = 0;
    const look = () => {
      const total = self.taps.reduce((sum, one) => sum + one.total, 0);
      quiet = total === seen ? quiet + 1 : 0;
      seen = total;
      if (quiet >= 2 || ++turns > 1000) then();
      else setImmediate(look);
    };
    setImmediate(look);
  }

  function buried(self, code, name) {
    drained(self, () => {
      if (worker !== self) return;
      signal('SIGKILL'); // what it started in its group
      self.process.stdio.forEach((stream) => stream && stream.destroy());
      const [how, number] = name ? ['signal', require('os').constants.signals[name]] : ['exit', code];
      const ended = run;
      run = 0;
      worker = null;
      tell('Z', ended, [how, number, self.broken, ...self.taps.map((one) => one.total)]);
    });
  }

  function begin(number, [code, output, displays]) {
    if (!worker) start();
    run = number;
    for (const one of worker.taps) {
      one.left = Number(output);
      one.total = 0;
      const { early } = one;
      one.early = Buffer.alloc(0);
      if (early.length > 0) one.pass(early);
    }
    worker.process.stdio[3].write(frame('R', number, [code, displays]));
  }

  process.on('SIGINT', () => {});
  const requests = new Frames();
  const input = new net.Socket({ fd: 0, readable: true, writable: false });
  input.on('data', (data) => {
    for (const { kind, run: number, fields } of requests.feed(data)) {
      if (kind === 'R') begin(number, fields);
      else if (worker && number === run && kind === 'I') worker.process.stdio[5].write(frame('I', number, []));
      else if (worker && number === run) signal('SIGKILL');
    }
  });
  input.on('close', () => {
    if (worker) signal('SIGKILL');
    process.exit(0);
  });
  start();
}

const WORKER = 'CORDON_WORKER';
if (!require('worker_threads').isMainThread) {
  listen();
} else if (process.env[WORKER]) {
  delete process.env[WORKER];
  work();
} else {
  keep();
}
