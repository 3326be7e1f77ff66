'use strict';
// The dashboard. Whatever jobs wrote is hostile: it reaches the page through textContent alone, and loses its control characters first.

const $ = id => document.getElementById(id);
const jobs = new Map();          // by id, the newest last
const MOST = 200;
let token = sessionStorage.getItem('cordon-token') || '';
let shown = null;                // the job whose detail is open
let follow = null;               // aborts the stream of its events

const api = (path, options = {}) =>
  fetch(path, {...options, headers: {...(token ? {Authorization: 'Bearer ' + token} : {}), ...options.headers}});
const plain = text => String(text).replace(/\x1b\[[0-9;?]*[ -\/]*[@-~]/g, '').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, '');
const make = (tag, text, kind) => { const e = document.createElement(tag); e.textContent = plain(text ?? ''); if (kind) e.className = kind; return e; };
const bytes = n => n == null ? '' : n < 1 << 20 ? Math.round(n / 1024) + ' KiB' : (n / (1 << 20)).toFixed(1) + ' MiB';
const kindOf = job => job.state !== 'finished' ? 'live' : job.outcome === 'ok' ? 'good' : ['canceled', 'nonzero_exit'].includes(job.outcome) ? 'warn' : 'bad';

async function* lines(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop();
    yield* parts;
  }
}

function take(job) {
  jobs.delete(job.id);
  jobs.set(job.id, job);
  while (jobs.size > MOST) jobs.delete(jobs.keys().next().value);
}

let planned = false;
function plan() { if (!planned) { planned = true; requestAnimationFrame(() => { planned = false; draw(); }); } }

function draw() {
  // What runs comes first, then the newest.
  const all = [...jobs.values()].sort((a, b) => (a.state === 'finished') - (b.state === 'finished') || (a.id < b.id ? 1 : -1));
  const body = $('jobs');
  body.replaceChildren(...all.slice(0, 50).map(row));
  const live = all.filter(job => job.state !== 'finished');
  const waits = all.filter(job => job.started_at).map(latencyOf).sort((a, b) => a - b);
  const at = q => waits.length ? waits[Math.min(waits.length - 1, Math.floor(q * waits.length))].toFixed(1) + ' ms' : '-';
  const figures = [['running', live.filter(j => j.state !== 'queued').length], ['queued', live.filter(j => j.state === 'queued').length],
    ['finished', all.length - live.length], ['start p50', at(.5)], ['start p95', at(.95)],
    ['violations', all.reduce((n, j) => n + (j.violations || []).length, 0)], ['escalated', all.filter(j => j.isolation && j.isolation.escalated).length]];
  $('figures').replaceChildren(...figures.map(([name, value]) => { const f = make('div', '', 'figure'); f.append(make('b', value), make('span', name)); return f; }));
  plots(all);
  if (shown && jobs.has(shown)) facts(jobs.get(shown));
}

const latencyOf = job => Date.parse(job.started_at) - Date.parse(job.created_at) + fraction(job.started_at) - fraction(job.created_at);
// Date.parse drops what is below a millisecond.
const fraction = time => { const m = /\.\d{3}(\d+)Z$/.exec(time); return m ? Number('0.' + m[1]) : 0; };

function row(job) {
  const tr = document.createElement('tr');
  tr.className = 'job';
  const labels = Object.entries(job.labels || {}).map(([k, v]) => k + '=' + v).join(' ');
  const note = make('td', labels, 'labels');
  note.title = plain(labels);
  tr.append(make('td', job.id), make('td', job.owner), note, make('td', job.state, job.state === 'finished' ? '' : 'live'),
    make('td', job.outcome, kindOf(job)), make('td', job.exit_code ?? job.signal ?? ''), make('td', job.isolation && job.isolation.level),
    make('td', job.usage ? job.usage.wall_ms + ' ms' : ''), make('td', bytes(job.usage && job.usage.max_memory_bytes)));
  const last = document.createElement('td');
  if (job.state !== 'finished') {
    const cancel = make('button', 'cancel');
    cancel.onclick = event => { event.stopPropagation(); api('/v1/jobs/' + job.id, {method: 'DELETE'}); };
    last.append(cancel);
  }
  tr.append(last);
  tr.onclick = () => open(job.id);
  return tr;
}

function facts(job) {
  $('detail-title').textContent = job.id;
  const list = [['state', job.state], ['outcome', job.outcome], ['created', job.created_at], ['started', job.started_at], ['finished', job.finished_at],
    ['isolation', job.isolation && job.isolation.level + (job.isolation.escalated ? ', escalated' : '') + ': ' + job.isolation.reason],
    ['violations', (job.violations || []).map(v => v.detail + ' x' + v.count + ' by ' + v.process).join(', ')],
    ['limits not enforced', (job.limits_not_enforced || []).join(', ')]];
  $('facts').replaceChildren(...list.filter(([, v]) => v).flatMap(([k, v]) => [make('dt', k), make('dd', v)]));
}

async function open(id) {
  if (follow) follow.abort();
  follow = new AbortController();
  shown = id;
  $('detail').hidden = false;
  const output = $('output');
  output.textContent = '';
  facts(jobs.get(id));
  try {
    const response = await api('/v1/jobs/' + id + '/events', {headers: {Accept: 'application/x-ndjson'}, signal: follow.signal});
    for await (const line of lines(response)) {
      if (!line) continue;
      const event = JSON.parse(line);
      if (event.event === 'stdout' || event.event === 'stderr') {
        const text = document.createTextNode(plain(event.data.text ?? atob(event.data.base64)));
        output.append(text);
        while (output.childNodes.length > 2000) output.firstChild.remove();
        output.scrollTop = output.scrollHeight;
      }
    }
  } catch (e) { if (e.name !== 'AbortError') output.append(document.createTextNode('\n(the stream broke off)')); }
}

const charts = {};
function plots(all) {
  const now = Date.now(), step = 10000, count = 30, first = Math.floor(now / step) - count + 1;
  const kinds = {good: ['ok', '#1a7f4b'], warn: ['non-zero or canceled', '#e0a030'], bad: ['limit, violation, failure', '#b42318']};
  const bins = Object.fromEntries(Object.keys(kinds).map(k => [k, Array(count).fill(0)]));
  for (const job of all) {
    if (!job.finished_at) continue;
    const i = Math.floor(Date.parse(job.finished_at) / step) - first;
    if (i >= 0 && i < count) bins[kindOf(job)][i]++;
  }
  const labels = Array.from({length: count}, (_, i) => new Date((first + i) * step).toTimeString().slice(0, 8));
  chart('outcomes', {type: 'bar', data: {labels, datasets: Object.entries(kinds).map(([k, [label, color]]) => ({label, data: bins[k], backgroundColor: color}))},
    options: {scales: {x: {stacked: true, ticks: {maxRotation: 0, autoSkip: true, maxTicksLimit: 6}}, y: {stacked: true, ticks: {precision: 0}}}}});
  const points = all.filter(j => j.started_at).map(j => ({x: (Date.parse(j.created_at) - now) / 1000, y: latencyOf(j)}));
  chart('latency', {type: 'scatter', data: {datasets: [{label: 'jobs', data: points, backgroundColor: '#1f5fbf', pointRadius: 3}]},
    options: {scales: {x: {min: -step * count / 1000, max: 0, title: {display: true, text: 'seconds ago'}, ticks: {callback: x => -x, maxTicksLimit: 7}}, y: {beginAtZero: true}}, plugins: {legend: {display: false}}}});
}
function chart(id, config) {
  if (charts[id]) { charts[id].data = config.data; charts[id].update('none'); return; }
  config.options = {...config.options, animation: false, responsive: true, maintainAspectRatio: false};
  charts[id] = new Chart($(id), config);
}

async function doctor() {
  const found = await (await api('/v1/doctor')).json();
  const s = found.summary;
  $('doctor-summary').textContent = `${s.pass} passed, ${s.warn} warnings, ${s.fail} failed: ` + (s.usable ? 'jobs can run here' : 'JOBS CANNOT RUN HERE');
  $('doctor-summary').className = s.usable ? 'good' : 'bad';
  $('doctor').replaceChildren(...found.checks.filter(c => c.status === 'WARN' || c.status === 'FAIL').map(c => {
    const tr = document.createElement('tr');
    tr.append(make('td', c.status, c.status === 'FAIL' ? 'bad' : 'warn'), make('td', c.id), make('td', c.found + ' - ' + c.remedy));
    return tr;
  }));
}

function askForToken(why) {
  $('login').hidden = false;
  $('main').hidden = true;
  $('link').textContent = why;
}

async function watch() {
  if (!token) return askForToken('a token is needed');
  for (;;) {
    try {
      const list = await api('/v1/jobs?limit=100');
      if (list.status === 401) return askForToken('this token is not known, or over');
      $('login').hidden = true;
      $('main').hidden = false;
      (await list.json()).data.reverse().forEach(take);
      plan();
      doctor();
      const stream = await api('/v1/events');
      $('link').textContent = 'live';
      for await (const line of lines(stream)) {
        if (line.startsWith('data:')) { take(JSON.parse(line.slice(5))); plan(); }
      }
    } catch (e) { /* tried again below */ }
    $('link').textContent = 'disconnected, trying again';
    await new Promise(done => setTimeout(done, 2000));
  }
}

$('login').onsubmit = event => {
  event.preventDefault();
  token = $('token').value.trim();
  sessionStorage.setItem('cordon-token', token);
  watch();
};
setInterval(plan, 5000);
watch();
