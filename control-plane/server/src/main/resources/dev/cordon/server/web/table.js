// The table of jobs. Rows are changed in place, and stay in place while the pointer is over them: nobody cancels the wrong job.
import {act} from './api.js';
import {finished, live, notable} from './jobs.js';
import {$, bytes, clock, duration, escalationText, groupOf, labelsOf, make, plain, put, time} from './text.js';

const SHOWN = 50;
const rows = new Map();

export const cancel = id => act('cancelling ' + id, '/v1/jobs/' + id, {method: 'DELETE'});

export function jobLink(id) {
  const link = make('a', id, 'id');
  link.href = '#job-' + id;
  return link;
}

function row(job) {
  const tr = document.createElement('tr');
  const first = document.createElement('td');
  first.append(jobLink(job.id));
  tr.append(first, ...['owner wide', 'labels wide', 'state', 'exit wide', 'level wide', 'wall', 'memory wide', 'act'].map(kind => make('td', '', kind)));
  const button = make('button', 'cancel');
  button.setAttribute('aria-label', 'cancel ' + job.id);
  button.onclick = () => cancel(job.id);
  tr.lastChild.append(button);
  return tr;
}

function fill(tr, job) {
  const [, owner, labels, state, exit, level, wall, memory, last] = tr.children;
  const over = job.state === 'finished';
  put(owner, job.owner, 'wide');
  put(labels, labelsOf(job), 'labels wide');
  labels.title = plain(labelsOf(job));
  put(state, over ? job.outcome + (job.isolation && job.isolation.escalated ? ' (escalated)' : '') : job.state, groupOf(job));
  put(exit, job.exit_code ?? job.signal ?? '', 'wide');
  put(level, job.isolation ? job.isolation.level : '', 'wide');
  put(wall, over ? (job.usage ? duration(job.usage.wall_ms) : '') : duration(Date.now() - time(job.started_at || job.created_at)), 'number');
  put(memory, job.usage ? bytes(job.usage.max_memory_bytes) : '', 'wide number');
  last.firstChild.hidden = over;
}

export function drawJobs() {
  const held = $('job-table').matches(':hover');
  const running = [...live.values()].sort((a, b) => a.id < b.id ? -1 : 1);
  const ended = [...finished.values()].sort((a, b) => (a.finished_at || '') < (b.finished_at || '') ? 1 : -1);
  if (held) {
    for (const [id, tr] of rows) {
      const job = live.get(id) || finished.get(id);
      if (job) fill(tr, job);
    }
    return;
  }
  place($('running'), running);
  place($('finished'), ended.slice(0, SHOWN));
  const shown = new Set([...running, ...ended.slice(0, SHOWN)].map(job => job.id));
  for (const id of [...rows.keys()]) if (!shown.has(id)) rows.delete(id);
  $('no-jobs').hidden = shown.size > 0;
  $('job-table').hidden = shown.size === 0;
}

/** Makes the rows of a body those of these jobs; a row that is in its place is not touched. */
function place(body, jobs) {
  const wanted = new Set(jobs.map(job => job.id));
  for (const tr of [...body.children]) if (!wanted.has(tr.dataset.id)) tr.remove();
  jobs.forEach((job, i) => {
    let tr = rows.get(job.id);
    if (!tr) {
      tr = row(job);
      tr.dataset.id = job.id;
      rows.set(job.id, tr);
    }
    fill(tr, job);
    if (body.children[i] !== tr) body.insertBefore(tr, body.children[i] || null);
  });
}

let drawn = '';
export function drawNotable() {
  const all = [...notable.values()].sort((a, b) => a.finished_at < b.finished_at ? 1 : -1);
  const key = all.map(job => job.id).join();
  if (key === drawn || $('notable-table').matches(':hover')) return;
  drawn = key;
  $('notable').replaceChildren(...all.flatMap(notableRows));
  $('notable-table').hidden = all.length === 0;
  $('no-notable').hidden = all.length > 0;
}

function notableRows(job) {
  const found = (job.violations || []).map(v => [v.kind + ': ' + v.syscall + ' \u00d7 ' + v.count, 'by ' + v.process + (v.killed ? ', killed' : ', refused')]);
  if (job.escalation) found.push(['escalation', escalationText(job)]);
  return found.map(([what, more]) => {
    const tr = document.createElement('tr');
    const first = document.createElement('td');
    first.append(jobLink(job.id));
    tr.append(make('td', clock(time(job.finished_at)), 'wide'), first, make('td', job.owner, 'wide'), make('td', what, 'breach long'), make('td', more, 'long'));
    return tr;
  });
}
