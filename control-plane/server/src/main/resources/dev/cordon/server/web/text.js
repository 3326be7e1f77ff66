// Text of jobs is hostile: it reaches the page through textContent alone, and loses escape sequences, control and bidi characters first.

export const $ = id => document.getElementById(id);

const ESCAPES = /\x1b(?:\[[0-9;:<=>?]*[ -\/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -\/]*[0-~])/g;
const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
export const plain = text => String(text).replace(ESCAPES, '').replace(/\r\n?/g, '\n').replace(HIDDEN, '');

export function make(tag, text, kind) {
  const element = document.createElement(tag);
  element.textContent = plain(text ?? '');
  if (kind) element.className = kind;
  return element;
}

/** Sets what changed, so that a selection or the focus stays where it is. */
export function put(element, text, kind = '') {
  const wanted = plain(text ?? '');
  if (element.textContent !== wanted) element.textContent = wanted;
  if (element.className !== kind) element.className = kind;
}

export function bytes(n) {
  if (n == null) return '';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0;
  while (n >= 1024 && i < units.length - 1) { n /= 1024; i++; }
  return (i === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)) + ' ' + units[i];
}

export function duration(ms) {
  if (ms == null || Number.isNaN(ms)) return '';
  if (ms < 1000) return (ms < 10 ? ms.toFixed(1) : Math.round(ms)) + ' ms';
  const s = ms / 1000;
  if (s < 60) return s.toFixed(1) + ' s';
  if (s < 3600) return Math.floor(s / 60) + ' min ' + Math.floor(s % 60) + ' s';
  return Math.floor(s / 3600) + ' h ' + Math.floor(s % 3600 / 60) + ' min';
}

/** In milliseconds with their fraction, which Date.parse drops. */
export function time(text) {
  if (!text) return null;
  const rest = /\.\d{3}(\d+)Z$/.exec(text);
  return Date.parse(text) + (rest ? Number('0.' + rest[1]) : 0);
}

export const clock = ms => new Date(ms).toTimeString().slice(0, 8);
export const labelsOf = job => Object.entries(job.labels || {}).map(([k, v]) => k + '=' + v).join(' ');
export const waited = job => job.started_at ? time(job.started_at) - time(job.created_at) : null;

const LIMITS = ['timed_out', 'out_of_memory', 'output_limit', 'disk_limit', 'pids_limit'];
/** How an outcome is counted and coloured. */
export function groupOf(job) {
  if (job.state !== 'finished') return 'live';
  if (job.outcome === 'ok') return 'ok';
  if (['nonzero_exit', 'signaled', 'canceled', 'not_found', 'not_executable'].includes(job.outcome)) return 'exit';
  if (LIMITS.includes(job.outcome)) return 'limit';
  return ['policy_violation', 'denied'].includes(job.outcome) ? 'breach' : 'failure';
}

/** Why a job was not run again in a machine, or that it was. */
export function escalationText(job) {
  const e = job.escalation;
  if (!e) return '';
  return e.cause + ': ' + e.reason + (e.refusal ? '; not run again: ' + e.refusal : '; run again in a machine');
}

/** What kept a job from running. */
export function errorText(error) {
  if (!error) return '';
  const parts = [...(error.reasons || []), ...(error.errors || []).map(e => e.pointer + ' ' + e.message)];
  for (const key of ['stage', 'check', 'errno', 'detail', 'remedy']) if (error[key]) parts.push(error[key]);
  return parts.join('; ');
}
