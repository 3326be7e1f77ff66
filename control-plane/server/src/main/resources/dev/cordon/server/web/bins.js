// Jobs that ended, counted in steps of ten seconds for an hour, however many they are.
import {groupOf, time, waited} from './text.js';

export const STEP = 10_000;
const KEPT = 360;
const SAMPLES = 64;              // start latencies of one step and level
const REMEMBERED = 20_000;       // ids, so that none counts twice

const bins = new Map();          // by the number of the step
const counted = new Set();
let from = Date.now();           // what ended before is not known

/** Since when everything that ended was counted. */
export const knownFrom = () => from;
export function knows(since) { from = Math.min(from, since); }
export const isCounted = id => counted.has(id);

function bin(ms) {
  const number = Math.floor(ms / STEP);
  let found = bins.get(number);
  if (!found) {
    found = {outcomes: {}, groups: {}, finished: 0, violations: 0, escalated: 0, starts: {}};
    bins.set(number, found);
    if (bins.size > KEPT) bins.delete(Math.min(...bins.keys()));
  }
  return found;
}

export function count(job) {
  const oldest = (Math.floor(Date.now() / STEP) - KEPT + 1) * STEP;
  if (job.state !== 'finished' || !job.finished_at || counted.has(job.id) || time(job.finished_at) < oldest) return;
  counted.add(job.id);
  if (counted.size > REMEMBERED) counted.delete(counted.values().next().value);
  const at = bin(time(job.finished_at));
  const group = groupOf(job);
  at.finished++;
  at.groups[group] = (at.groups[group] || 0) + 1;
  at.outcomes[job.outcome] = (at.outcomes[job.outcome] || 0) + 1;
  at.violations += (job.violations || []).reduce((n, v) => n + v.count, 0);
  at.escalated += job.isolation && job.isolation.escalated ? 1 : 0;
  if (job.started_at && time(job.started_at) >= oldest) start(job);
}

/** Each of many has the same chance to be among the samples. */
function start(job) {
  const level = job.isolation && job.isolation.level || 'jail';
  const starts = bin(time(job.started_at)).starts;
  const samples = starts[level] ??= {seen: 0, values: []};
  samples.seen++;
  if (samples.values.length < SAMPLES) samples.values.push(waited(job));
  else {
    const place = Math.floor(Math.random() * samples.seen);
    if (place < SAMPLES) samples.values[place] = waited(job);
  }
}

/** The last steps put together: `columns` of `width` steps each, the newest last. */
export function view(columns, width) {
  const last = Math.floor(Date.now() / STEP);
  const first = last - columns * width + 1;
  return Array.from({length: columns}, (_, i) => sum(first + i * width, width));
}

function sum(first, width) {
  const all = {at: first * STEP, outcomes: {}, groups: {}, finished: 0, violations: 0, escalated: 0, starts: {}};
  for (let number = first; number < first + width; number++) {
    const one = bins.get(number);
    if (!one) continue;
    for (const key of ['finished', 'violations', 'escalated']) all[key] += one[key];
    for (const map of ['outcomes', 'groups'])
      for (const [key, n] of Object.entries(one[map])) all[map][key] = (all[map][key] || 0) + n;
    for (const [level, samples] of Object.entries(one.starts)) (all.starts[level] ??= []).push(...samples.values);
  }
  return all;
}

export function quantile(values, q) {
  if (!values || values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
}
