// Runs the code. V8's own console mode gives what people expect of a prompt: the last expression's value, let and const that
// stay, await at the top level. The channel is descriptor 3 (in) and 4 (out).
function work() {
  const inspector = require('inspector');
  const util = require('util');
  const vm = require('vm');

  const RICH = [['toHTML', 'text/html'], ['toSVG', 'image/svg+xml'], ['toPNG', 'image/png']];
  const session = new inspector.Session();
  session.connect();
  const TAKE = 'cordonTake';
  const TURN = 'cordonTurn';
  const state = { run: 0, left: 0, dropped: 0, stop: null };

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

  function evaluate(code, name) {
    return new Promise((resolve, reject) => {
      state.stop = () => reject(Object.assign(new Error('interrupted'), { interrupted: true }));
      // Code that never yields is stopped by SIGINT in here alone.
      Object.defineProperty(globalThis, TURN, {
        configurable: true,
        value: () => post('Runtime.evaluate', {
          expression: `${code}\n//# sourceURL=${name}`,
          replMode: true,
          awaitPromise: true,
        }).then(resolve, reject),
      });
      try {
        new vm.Script(`${TURN}()`, { filename: 'cordon:turn' }).runInThisContext({ breakOnSigint: true });
      } catch (e) {
        reject(e);
      } finally {
        delete globalThis[TURN];
      }
    });
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
    }
    send('F', [how, state.dropped]);
    state.run = 0;
  }

  // As at a prompt: what a timer or a forgotten promise throws is told and ends nothing.
  const stray = (error) => console.error('Uncaught', error);
  process.on('uncaughtException', stray);
  process.on('unhandledRejection', stray);
  process.on('SIGINT', () => state.stop && state.stop());
  globalThis.display = display;
  globalThis.require = require('module').createRequire(process.cwd() + '/');

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
