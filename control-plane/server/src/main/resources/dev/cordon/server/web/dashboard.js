// The dashboard: connects, keeps up with what happens and draws it a few times a second.
import {api, hasToken, lines, useToken} from './api.js';
import {closeDetail, drawDetail, openDetail, prepareDetail, showing} from './detail.js';
import {askDoctor, askInfo, askReady, drawNow} from './host.js';
import {catchUp, reconcile, take} from './jobs.js';
import {drawPlots, preparePlots} from './plots.js';
import {askSandboxes, drawSandboxes} from './sandboxes.js';
import {drawJobs, drawNotable} from './table.js';
import {$, put} from './text.js';

const FRAME = 250, SILENCE = 30_000, PATIENCE = 45_000;
let planned = false, connected = false;

function plan() {
  if (planned) return;
  planned = true;
  setTimeout(() => { planned = false; draw(); }, FRAME);
}

function draw() {
  if ($('main').hidden) return;
  drawNow();
  if (showing()) return drawDetail();
  drawJobs();
  drawNotable();
  drawSandboxes();
  drawPlots();
}

function askForToken(why) {
  connected = false;
  $('login').hidden = false;
  $('main').hidden = true;
  put($('link'), why, 'note');
  $('token').focus();
}

/** Listens first and reads the history then, so that nothing falls between. */
async function watch() {
  if (!hasToken()) return askForToken('a token is needed');
  for (;;) {
    const ended = new AbortController();
    let timer = null;
    try {
      const stream = await api('/v1/events', {signal: ended.signal});
      if (stream.status === 401) return askForToken('this token is not known, or over');
      if (!stream.ok) throw new Error('HTTP ' + stream.status);
      $('login').hidden = true;
      $('main').hidden = false;
      const listening = listen(stream, () => { clearTimeout(timer); timer = setTimeout(() => ended.abort(), PATIENCE); });
      await Promise.race([catchUp(), listening]);
      connected = true;
      put($('link'), 'live', 'ok');
      plan();
      refresh();
      await listening;
    } catch { /* tried again below */ }
    clearTimeout(timer);
    ended.abort();
    connected = false;
    put($('link'), 'disconnected, trying again', 'breach');
    await new Promise(done => setTimeout(done, 2000));
  }
}

/** The service says at least every 15 s that it is there. */
async function listen(stream, alive) {
  alive();
  for await (const line of lines(stream)) {
    alive();
    if (line.startsWith('data:')) { take(JSON.parse(line.slice(5))); plan(); }
  }
  throw new Error('the stream ended');
}

/** Asks now and then; what fails is asked again the next time. */
function every(seconds, ask) {
  let busy = false;
  const look = async () => {
    if (!connected || busy || document.hidden) return;
    busy = true;
    try { await ask(); plan(); } catch { /* the stream tells whether the service is there */ }
    busy = false;
  };
  setInterval(look, seconds * 1000);
  return look;
}
const asks = [every(60, askDoctor), every(10, askReady), every(5, askInfo), every(5, askSandboxes), every(15, () => reconcile(Date.now() - SILENCE))];
const refresh = () => asks.forEach(ask => ask());

function route() {
  const job = /^#job-([0-9A-Za-z_-]+)$/.exec(location.hash);
  $('overview').hidden = job != null;
  $('detail').hidden = job == null;
  if (job) { openDetail(job[1]); scrollTo(0, 0); } else { closeDetail(); plan(); }
}

$('login').onsubmit = event => {
  event.preventDefault();
  useToken($('token').value.trim());
  watch().then(() => {});
  if (showing()) route();
};
prepareDetail();
preparePlots(plan);
addEventListener('hashchange', route);
document.addEventListener('visibilitychange', () => { if (!document.hidden) refresh(); });
setInterval(plan, 1000);
route();
watch();
