// One job: its life, what it takes and took, what it was refused, and its output as text.
import {api, json, lines, notice} from './api.js';
import {find} from './jobs.js';
import {chart, colour, dropChart} from './plots.js';
import {cancel} from './table.js';
import {drawTimeline} from './timeline.js';
import {$, bytes, duration, errorText, escalationText, groupOf, labelsOf, make, plain, put, waited} from './text.js';

const PIECES = 2000;
const SAMPLES = 600;
let shown = null, fetched = null, follow = null, samples = [];

export const showing = () => shown;
export const usageSamples = () => samples;

function facts(job) {
  const i = job.isolation;
  const usage = job.usage || {};
  const list = [['owner', job.owner], ['tool', job.tool], ['sandbox', job.sandbox_id], ['labels', labelsOf(job)], ['created', job.created_at],
    ['start latency', duration(waited(job))],
    ['isolation', i && [i.level + (i.escalated ? ', escalated' : ''), i.acceleration, ...(i.reasons || [])].filter(Boolean).join('; ')],
    ['escalation', escalationText(job)], ['cause', job.cause && Object.entries(job.cause).map(([k, v]) => k + ' ' + v).join(', ')],
    ['error', errorText(job.error)],
    ['usage', job.usage && [duration(usage.wall_ms) + ' wall', duration(usage.cpu_ms) + ' CPU', usage.max_memory_bytes == null ? '' : bytes(usage.max_memory_bytes) + ' memory',
      usage.max_pids == null ? '' : usage.max_pids + ' processes'].filter(Boolean).join(', ')],
    ['limits not enforced', (job.limits_not_enforced || []).join(', ')], ['limits met', (job.limits_met || []).join(', ')],
    ['layers missing', (job.layers_missing || []).join(', ')]];
  $('facts').replaceChildren(...list.filter(([, v]) => v).flatMap(([k, v]) => [make('dt', k), make('dd', v)]));
}

function rows(body, section, list, cells) {
  $(section).hidden = list.length === 0;
  $(body).replaceChildren(...list.map(item => {
    const tr = document.createElement('tr');
    tr.append(...cells(item).map(cell => cell instanceof Node ? cell : make('td', cell, 'long')));
    return tr;
  }));
}

let drawn = null;
export function drawDetail() {
  const known = shown && find(shown);
  const job = known && (!fetched || fetched.state !== 'finished') ? known : fetched;
  if (!shown || !job) return;
  drawTimeline(job);
  if (job === drawn) return;
  drawn = job;
  put($('detail-state'), job.state === 'finished' ? job.outcome : job.state, 'badge ' + groupOf(job));
  $('detail-cancel').hidden = job.state === 'finished';
  facts(job);
  rows('violations', 'violations-part', job.violations || [], v => [v.kind, v.syscall, v.count, v.process, v.killed ? 'killed' : 'refused']);
  rows('attempts', 'attempts-part', job.escalation && job.escalation.attempts || [], a => [a.isolation, a.outcome, a.exit_code ?? a.signal,
    a.usage && duration(a.usage.wall_ms), (a.violations || []).map(v => v.syscall + ' \u00d7 ' + v.count).join(', ')]);
  rows('artifacts', 'artifacts-part', job.artifacts || [], a => [a.path, bytes(a.size), a.sha256, download(job.id, a)]);
}

function download(id, artifact) {
  const cell = document.createElement('td');
  const button = make('button', 'download');
  button.onclick = async () => {
    try {
      const answer = await api('/v1/jobs/' + id + '/artifacts/' + artifact.path.split('/').map(encodeURIComponent).join('/'));
      if (!answer.ok) throw new Error('HTTP ' + answer.status);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([await answer.arrayBuffer()], {type: 'application/octet-stream'}));
      link.download = plain(artifact.path.split('/').pop());
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (e) { notice('the download failed: ' + e.message); }
  };
  cell.append(button);
  return cell;
}

function usage(data) {
  samples.push(data);
  if (samples.length > SAMPLES) samples.shift();
  $('usage-part').hidden = samples.length < 2;
  if (samples.length < 2) return;
  const cpus = samples.map((s, i) => i === 0 || s.cpu_ms == null ? null : Math.max(0, (s.cpu_ms - samples[i - 1].cpu_ms) / Math.max(1, s.wall_ms - samples[i - 1].wall_ms)));
  const line = {borderWidth: 2, pointRadius: 0};
  chart($('usage'), {type: 'line', data: {labels: samples.map(s => Math.round(s.wall_ms / 1000) + ' s'), datasets: [
    {...line, label: 'CPUs', data: cpus, borderColor: colour('live'), backgroundColor: colour('live'), yAxisID: 'y'},
    {...line, label: 'memory, MiB', data: samples.map(s => s.memory_bytes == null ? null : s.memory_bytes / (1 << 20)), borderColor: colour('breach'), backgroundColor: colour('breach'), yAxisID: 'y1'}]},
  options: {scales: {x: {ticks: {maxRotation: 0, maxTicksLimit: 8}, grid: {display: false}}, y: {beginAtZero: true, suggestedMax: 1, title: {display: true, text: 'CPUs'}},
    y1: {beginAtZero: true, suggestedMax: 4, position: 'right', grid: {drawOnChartArea: false}, title: {display: true, text: 'MiB'}}}}});
}

function write(text, kind) {
  const output = $('output');
  const low = output.scrollHeight - output.scrollTop - output.clientHeight < 40;
  output.append(make('span', text, kind));
  while (output.childNodes.length > PIECES) output.firstChild.remove();
  if (low) output.scrollTop = output.scrollHeight; // who reads above is left there
  $('no-output').hidden = true;
}

const curl = id => 'curl -sN -H "Authorization: Bearer $CORDON_TOKEN" ' + location.origin + '/v1/jobs/' + id;

export function closeDetail() {
  follow?.abort();
  shown = null;
  dropChart('usage');
}

export async function openDetail(id) {
  closeDetail();
  const mine = follow = new AbortController();
  [shown, fetched, drawn, samples] = [id, null, null, []];
  put($('detail-title'), id);
  put($('curl'), curl(id));
  $('output').replaceChildren();
  for (const part of ['usage-part', 'violations-part', 'attempts-part', 'artifacts-part']) $(part).hidden = true;
  $('no-output').hidden = false;
  $('facts').replaceChildren();
  drawDetail();
  try {
    await refetch(id);
    const response = await api('/v1/jobs/' + id + '/events', {headers: {Accept: 'application/x-ndjson'}, signal: mine.signal});
    for await (const line of lines(response)) {
      if (line) heard(id, JSON.parse(line));
    }
    await refetch(id);
  } catch (e) {
    if (mine.signal.aborted) return;
    write('\n(' + (e.status === 404 ? 'there is no such job' : 'the stream broke off') + ')', 'soft');
  }
}

async function refetch(id) {
  const job = await json('/v1/jobs/' + id);
  if (shown === id) { fetched = job; drawDetail(); }
}

function heard(id, event) {
  if (shown !== id) return;
  const {event: type, data} = event;
  if (type === 'stdout' || type === 'stderr') write(data.text ?? atob(data.base64), type);
  else if (type === 'usage') usage(data);
  else if (type === 'escalated') write('\n(stopped, and run again in a machine: ' + data.reason + ')\n', 'soft');
  else if ((type === 'exit' || type === 'error') && data.dropped_bytes) write('\n(' + bytes(data.dropped_bytes) + ' more are in the result only)', 'soft');
}

export function prepareDetail() {
  $('detail-cancel').onclick = () => cancel(shown);
  $('copy').onclick = async () => {
    try {
      await navigator.clipboard.writeText(curl(shown));
      $('copy').textContent = 'copied';
      setTimeout(() => { $('copy').textContent = 'copy as curl'; }, 2000);
    } catch { getSelection().selectAllChildren($('curl')); } // no clipboard without TLS: to be copied by hand
  };
}
