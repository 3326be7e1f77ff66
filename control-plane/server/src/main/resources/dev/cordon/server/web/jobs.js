// The jobs the page knows: all that are not over, and the newest of those that are.
import {json, pages} from './api.js';
import {count, isCounted, knows} from './bins.js';
import {time} from './text.js';

const FINISHED = 200;            // kept to be shown
const NOTABLE = 50;              // with violations or an escalation
const HISTORY = 20;              // pages of a hundred read at the start
const HOUR = 3_600_000;
const ORDER = ['queued', 'starting', 'running', 'finished'];

export const live = new Map();
export const finished = new Map();   // by id, the last that ended last
export const notable = new Map();
const heard = new Map();             // when a live one was told last

export const find = id => live.get(id) || finished.get(id) || notable.get(id);

/** Takes a job as it was told. News can come late: what is over stays over, and what runs does not wait again. */
export function take(job) {
  const known = find(job.id);
  if (known && known.state === 'finished') return;
  if (job.state !== 'finished') {
    live.set(job.id, known && ORDER.indexOf(job.state) < ORDER.indexOf(known.state) && known.state === 'running' ? known : job);
    heard.set(job.id, Date.now());
    return;
  }
  forget(job.id);
  keep(finished, job, FINISHED);
  if ((job.violations || []).length > 0 || job.escalation) keep(notable, job, NOTABLE);
  count(job);
}

function keep(map, job, most) {
  map.set(job.id, job);
  while (map.size > most) {
    let oldest = null;
    for (const one of map.values()) if (!oldest || (one.finished_at || '') < (oldest.finished_at || '')) oldest = one;
    map.delete(oldest.id);
  }
}

function forget(id) {
  live.delete(id);
  heard.delete(id);
}

/** What happened before the page was opened, or while it was not connected. */
export async function catchUp() {
  const begun = Date.now();
  for (const state of ['running', 'starting', 'queued']) (await pages('/v1/jobs?state=' + state, HISTORY)).found.forEach(take);
  const since = Date.now() - HOUR;
  let cursor = '', oldest = since;
  for (let i = 0; i < HISTORY; i++) {
    const page = await json('/v1/jobs?limit=100&since=' + encodeURIComponent(new Date(since).toISOString()) + cursor);
    const seen = page.data.length > 0 && page.data.every(job => isCounted(job.id) || live.has(job.id));
    page.data.reverse().forEach(take);
    if (!page.next_cursor || seen) { oldest = since; break; }
    oldest = time(page.data[0].created_at);
    cursor = '&cursor=' + encodeURIComponent(page.next_cursor);
  }
  knows(oldest);
  await reconcile(begun);
}

/** Asks for each job that should be running and of which nothing was heard since then: its end may have been missed. */
export async function reconcile(since) {
  for (const [id, at] of [...heard]) {
    if (at >= since) continue;
    try {
      const {stdout, stderr, stdout_base64, stderr_base64, ...job} = await json('/v1/jobs/' + id);
      if (job.state === 'finished') take(job);
      else if (live.has(id)) { live.set(id, job); heard.set(id, Date.now()); }
    } catch (e) {
      if (e.status !== 404) throw e;
      forget(id);
    }
  }
}
