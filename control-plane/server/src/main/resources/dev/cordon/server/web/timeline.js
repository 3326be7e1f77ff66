// The life of a job as a bar: waiting, each attempt, and what lies between.
import {$, duration, make, time} from './text.js';

function stretches(job) {
  const created = time(job.created_at), over = job.state === 'finished';
  const end = over ? time(job.finished_at) : Date.now();
  const found = [];
  const attempts = (job.escalation && job.escalation.attempts || []).filter(a => a.started_at);
  const runs = attempts.length > 0
    ? attempts.map(a => [a.isolation || 'run', time(a.started_at), time(a.finished_at)])
    : job.started_at ? [[over ? 'ran' : 'running', time(job.started_at), end]] : [];
  let at = created;
  for (const [name, from, to] of runs) {
    found.push([found.length === 0 ? 'queued and starting' : 'starting again', from - at, 'waiting'], [name, to - from, 'ran']);
    at = to;
  }
  if (runs.length === 0) found.push([over ? 'never ran' : job.state, end - created, 'waiting']);
  return found;
}

export function drawTimeline(job) {
  const found = stretches(job);
  const all = found.reduce((n, [, ms]) => n + Math.max(0, ms), 0) || 1;
  $('timeline').replaceChildren(...found.map(([, ms, kind]) => {
    const part = make('span', '', kind);
    part.style.flexGrow = Math.max(.004, ms / all); // seen also when it is short
    return part;
  }));
  const items = found.map(([name, ms, kind]) => {
    const item = make('li', name + ' ' + duration(Math.max(0, ms)), kind);
    return item;
  });
  if (job.state === 'finished') items.push(make('li', 'exit: ' + job.outcome + (job.exit_code != null ? ' ' + job.exit_code : job.signal ? ' ' + job.signal : '')));
  $('timeline-text').replaceChildren(...items);
}
