// Runs the code. V8's own console mode gives what people expect of a prompt: the last expression's value, let and const that
// stay, await at the top level. The channel is descriptor 3 (in) and 4 (out); interrupts come by 5, to a thread of its own.
//
// An interrupt is meant for one run, and Node's own way to stop code that never yields (breakOnSigint) loses a signal that comes
// as the code ends, or keeps it for the next code. So both threads agree on a word, the run's number and what it is at:
//
//   SHUT     SIGINT would do harm: it is between two dispositions
//   TURN     code runs; the thread makes it STRUCK and signals, and code that ends meanwhile waits for the signal
//   STRUCK
//   OPEN     the code waits for promises; the thread makes it SENDING, signals what the code started, says so, and opens again
//   SENDING
//   OVER     an interrupt comes too late
const [SHUT, TURN, STRUCK, OPEN, SENDING, OVER] = [1n, 2n, 3n, 4n, 5n, 6n];
const at = (run, phase) => (BigInt(run) << 3n) | phase;

function strike(word, run, tell) {
  const swap = (from, to) => Atomics.compareExchange(word, 0, at(run, from), at(run, to)) === at(run, from);
  const group = () => process.kill(0, 'SIGINT');
  const retry = () => {
    if (swap(TURN, STRUCK)) {
      group();
    } else if (swap(OPEN, SENDING)) {
      group();
      tell(run);
      Atomics.store(word, 0, at(run, OPEN));
      Atomics.notify(word, 0);
    } else {
      const now = Atomics.load(word, 0);
      if (now < at(run, OVER) && now !== at(run, STRUCK)) setTimeout(retry, 1); // it has not begun, or is about to change
    }
  };
  retry();
}

function listen() {
  const { parentPort, workerData } = require('worker_threads');
  const frames = new Frames();
  const channel = new net.Socket({ fd: 5, readable: true, writable: false });
  channel.on('error', () => {});
  channel.on('data', (data) => {
    for (const { run } of frames.feed(data)) strike(workerData, run, (number) => parentPort.postMessage(number));
  });
}

function work() {
  const inspector = require('inspector');
  const util = require('util');
  const vm = require('vm');
  const { Worker } = require('worker_threads');

  const RICH = [['toHTML', 'text/html'], ['toSVG', 'image/svg+xml'], ['toPNG', 'image/png']];
  const session = new inspector.Session();
  session.connect();
  const TAKE = 'cordonTake';
  const TURN_NAME = 'cordonTurn';
  const state = { run: 0, left: 0, dropped: 0, stop: null };
  const word = new BigInt64Array(new SharedArrayBuffer(8));

  class Thrown extends Error {}

  const send = (kind, fields) => writeAll(4, frame(kind, state.run, fields));

  function show(forms) {
    const size = forms.reduce((sum, [, content]) => sum + content.length, 0);
    if (size > state.left || size > MOST - 4096) {
      state.dropped++;
      return;
    }
    state.left -= size;
    send('D', forms.flat());
  }

  function formsOf(value) {
    const forms = [];
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return forms;
    for (const [name, mime] of RICH) {
      try {
        if (typeof value[name] === 'function') {
          const content = value[name]();
          forms.push([mime, Buffer.isBuffer(content) ? content : Buffer.from(content)]);
        }
      } catch {
        // One way less to show it.
      }
    }
    if (Buffer.isBuffer(value) && value.length > 8 && value.readUInt32BE() === 0x89504e47) {
      forms.push(['image/png', value]);
    }
    return forms;
  }

  function display(...values) {
    for (const value of values) {
      show([...formsOf(value), ['text/plain', Buffer.from(util.inspect(value))]]);
    }
  }

  const post = (method, parameters) => new Promise((resolve, reject) => {
    session.post(method, parameters, (error, answer) => (error ? reject(error) : resolve(answer)));
  });

  // The value itself, which the inspector only describes.
  async function take(described) {
    let taken;
    Object.defineProperty(globalThis, TAKE, { configurable: true, value: (value) => { taken = value; } });
    const { type, objectId, unserializableValue, value } = described;
    const argument = objectId ? { objectId } : unserializableValue ? { unserializableValue } : { value };
    try {
      await post('Runtime.callFunctionOn', {
        functionDeclaration: `function (value) { globalThis.${TAKE}(value); }`,
        executionContextId: 1,
        arguments: type === 'undefined' ? [{}] : [argument],
        silent: true,
      });
    } finally {
      delete globalThis[TAKE];
    }
    return taken;
  }

  function explain(error) {
    const known = util.types.isNativeError(error);
    const name = known ? String(error.name) : typeof error;
    const message = known ? String(error.message) : util.inspect(error);
    // Below the code's own lines are those of the driver and of the event loop.
    const all = (known ? String(error.stack) : `Uncaught ${message}`).split('\n');
    const first = all.findIndex((line) => /^\s+at /.test(line));
    const own = all.findLastIndex((line) => line.includes('<run-'));
    const lines = first < 0 ? all : all.slice(0, Math.max(first, own + 1));
    const fields = [name, cut(message)[0], cut(lines.join('\n') + '\n')[0]];
    const places = lines.map((line) => /^\s+at (?:(.*) \()?(.*?):(\d+):\d+\)?$/.exec(line)).filter(Boolean).slice(0, 64);
    // The innermost last, as everywhere.
    for (const [, where, file, line] of places.reverse()) {
      fields.push(cut(file, 4096)[0], line, cut(where || '<anonymous>', 4096)[0], '');
    }
    send('X', fields);
  }

  // Runs until it ends or waits. It ends inside, so that a signal that is on its way still hits this turn.
  function turn(code, name) {
    Atomics.store(word, 0, at(state.run, TURN));
    try {
      return post('Runtime.evaluate', { expression: `${code}\n//# sourceURL=${name}`, replMode: true, awaitPromise: true });
    } finally {
      const ended = Atomics.compareExchange(word, 0, at(state.run, TURN), at(state.run, SHUT));
      while (ended === at(state.run, STRUCK));
    }
  }

  function evaluate(code, name) {
    return new Promise((resolve, reject) => {
      state.stop = () => reject(Object.assign(new Error('interrupted'), { interrupted: true }));
      Object.defineProperty(globalThis, TURN_NAME, { configurable: true, value: () => turn(code, name).then(resolve, reject) });
      Atomics.store(word, 0, at(state.run, SHUT));
      try {
        new vm.Script(`${TURN_NAME}()`, { filename: 'cordon:turn' }).runInThisContext({ breakOnSigint: true });
      } catch (e) {
        reject(e);
      } finally {
        delete globalThis[TURN_NAME];
        Atomics.store(word, 0, at(state.run, OPEN));
      }
    });
  }

  // From here on nothing is sent for this run.
  function shut() {
    while (Atomics.compareExchange(word, 0, at(state.run, OPEN), at(state.run, OVER)) === at(state.run, SENDING)) {
      Atomics.wait(word, 0, at(state.run, SENDING));
    }
  }

  async function run(code, displays) {
    state.left = displays;
    state.dropped = 0;
    let how = 'finished';
    try {
      const { result, exceptionDetails } = await evaluate(code, `<run-${state.run}>`);
      const value = await take(result);
      if (exceptionDetails) throw Object.assign(new Thrown(), { value });
      if (value !== undefined) {
        send('V', cut(util.inspect(value)));
        const forms = formsOf(value);
        if (forms.length > 0) show(forms);
      }
    } catch (e) {
      how = e.interrupted || e.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED' ? 'interrupted' : 'raised';
      explain(e instanceof Thrown ? e.value : e);
    } finally {
      state.stop = null;
      shut();
    }
    send('F', [how, state.dropped]);
    state.run = 0;
  }

  // A stream that is stopped inside a write never writes again, and code is mostly stopped where it writes.
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (chunk, encoding, done) => {
      const [given, then] = typeof encoding === 'function' ? [undefined, encoding] : [encoding, done];
      writeAll(stream.fd, typeof chunk === 'string' ? Buffer.from(chunk, given) : chunk);
      if (then) process.nextTick(then);
      return true;
    };
  }

  // As at a prompt: what a timer or a forgotten promise throws is told and ends nothing.
  const stray = (error) => console.error('Uncaught', error);
  process.on('uncaughtException', stray);
  process.on('unhandledRejection', stray);
  process.on('SIGINT', () => {});
  globalThis.display = display;
  globalThis.require = require('module').createRequire(process.cwd() + '/');

  const interrupts = new Worker(program, { eval: true, workerData: word, argv: [], env: {}, stdin: false });
  interrupts.on('message', (run) => run === state.run && state.stop && state.stop());
  interrupts.unref();

  const frames = new Frames();
  const channel = new net.Socket({ fd: 3, readable: true, writable: false });
  channel.on('data', (data) => {
    for (const { run: number, fields } of frames.feed(data)) {
      state.run = number;
      run(fields[0].toString(), Number(fields[1]));
    }
  });
  channel.on('close', () => process.exit(0));
  send('Y', [`Node.js ${process.version}`]);
}
