// The host: what it has left, what the doctor found, and a banner when jobs cannot run or something fails.
import {json} from './api.js';
import {live} from './jobs.js';
import {draw} from './plots.js';
import {$, bytes, make, put} from './text.js';

let failing = [], ready = true, info = null;

function banner() {
  const found = [...(ready ? [] : ['The service is not ready: it starts no jobs now.']), ...failing.map(c => c.id + ': ' + c.found + (c.remedy ? ' \u2013 ' + c.remedy : ''))];
  $('banner').hidden = found.length === 0;
  if ($('banner').dataset.shown === found.join('\n')) return; // not read out again
  $('banner').dataset.shown = found.join('\n');
  $('banner-list').replaceChildren(...found.map(text => make('li', text)));
}

export async function askDoctor() {
  const {summary, checks} = await json('/v1/doctor');
  failing = checks.filter(c => c.status === 'FAIL');
  banner();
  const counts = summary.pass === undefined ? 'the checks are for administrators: ' : `${summary.pass} passed, ${summary.warn} warnings, ${summary.fail} failed: `;
  put($('doctor-summary'), counts + (summary.usable ? 'jobs can run here' : 'jobs cannot run here'), summary.usable ? 'ok' : 'breach');
  $('doctor').replaceChildren(...checks.filter(c => c.status === 'WARN' || c.status === 'FAIL').map(c => {
    const tr = document.createElement('tr');
    const text = make('td', c.found, 'long');
    if (c.remedy) text.append(make('div', c.remedy, 'soft'));
    tr.append(make('td', c.status, c.status === 'FAIL' ? 'breach' : 'limit'), make('td', c.id), text);
    return tr;
  }));
}

export async function askReady() {
  ready = (await fetch('/readyz')).ok;
  banner();
}

export async function askInfo() {
  info = await json('/v1/info');
  const h = info.host;
  meter('cpu', h.load_1m, h.cpus, h.load_1m == null ? 'unknown' : h.load_1m.toFixed(1) + ' of ' + h.cpus + ' CPUs');
  meter('memory', used(h.memory_bytes, h.memory_available_bytes), h.memory_bytes, left(h.memory_bytes, h.memory_available_bytes));
  meter('disk', used(h.disk_bytes, h.disk_free_bytes), h.disk_bytes, left(h.disk_bytes, h.disk_free_bytes));
  put($('version'), 'Cordon ' + info.version + ', Java ' + info.java + ', Linux ' + info.kernel + ', ' + info.isolation.join(' and '), 'note');
}

const used = (all, free) => all == null || free == null ? null : all - free;
const left = (all, free) => all == null || free == null ? 'unknown' : bytes(free) + ' free of ' + bytes(all);

function meter(name, value, most, text) {
  const element = $('host-' + name);
  element.max = most || 1;
  element.high = .9 * element.max;
  element.optimum = 0;
  element.value = value || 0;
  put($('host-' + name + '-text'), text);
}

export function drawNow() {
  const states = [...live.values()].map(job => job.state);
  draw($('now'), [['running', states.filter(s => s !== 'queued').length, 'live'], ['queued', states.filter(s => s === 'queued').length],
    ['sandboxes open', info ? info.open_sandboxes : '\u2013'], ['queued by all', info ? info.queued_jobs : '\u2013']]);
}
