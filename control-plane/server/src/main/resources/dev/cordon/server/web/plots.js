// The plots, drawn by Chart.js from the counted steps.
import {knownFrom, quantile, view} from './bins.js';
import {$, clock, duration, make, put} from './text.js';

const RANGES = {'5 min': [30, 1], '1 h': [60, 6]};
let range = '5 min';
const charts = new Map();

export const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
const GROUPS = {ok: 'ok', exit: 'non-zero, canceled', limit: 'limit', breach: 'violation, denied', failure: 'failure'};
const LEVELS = {jail: ['ok', 'limit'], vm: ['live', 'failure'], process: ['exit', 'breach']};

export function chart(canvas, config) {
  const known = charts.get(canvas.id);
  if (known) {
    known.data.labels = config.data.labels;
    config.data.datasets.forEach((set, i) => known.data.datasets[i] ? Object.assign(known.data.datasets[i], set) : known.data.datasets.push(set));
    known.data.datasets.length = config.data.datasets.length;
    known.update('none');
    return;
  }
  const line = {color: colour('line')}, ticks = {color: colour('soft')};
  for (const scale of Object.values(config.options.scales)) {
    scale.grid = {...line, ...scale.grid};
    scale.ticks = {...ticks, ...scale.ticks};
    if (scale.title) scale.title.color = colour('soft');
  }
  Object.assign(config.options, {animation: false, responsive: true, maintainAspectRatio: false});
  config.options.plugins = {legend: {align: 'start', labels: {boxWidth: 10, boxHeight: 10, color: colour('ink')}}};
  charts.set(canvas.id, new Chart(canvas, config));
}

export function dropChart(id) {
  charts.get(id)?.destroy();
  charts.delete(id);
}

/** What a plot shows, for tests. */
export const dataOf = id => charts.get(id)?.data.datasets.map(set => ({label: set.label, data: set.data}));

export function drawPlots() {
  const [columns, width] = RANGES[range];
  const bins = view(columns, width);
  const labels = bins.map(bin => clock(bin.at));
  const x = {ticks: {maxRotation: 0, autoSkip: true, maxTicksLimit: innerWidth < 500 ? 4 : 6}, grid: {display: false}};
  const datasets = Object.entries(GROUPS).map(([group, label]) => ({label, data: bins.map(bin => bin.groups[group] || 0), backgroundColor: colour(group)}));
  chart($('outcomes'), {type: 'bar', data: {labels, datasets},
    options: {scales: {x: {...x, stacked: true}, y: {stacked: true, beginAtZero: true, suggestedMax: 4, ticks: {precision: 0}}}}});
  const levels = Object.keys(LEVELS).filter(level => level === 'jail' || bins.some(bin => bin.starts[level]));
  const starts = levels.flatMap(level => [['p50', .5], ['p95', .95]].map(([name, q], i) => ({
    label: level + ' ' + name, data: bins.map(bin => quantile(bin.starts[level], q)), borderWidth: 2, pointRadius: 2,
    borderColor: colour(LEVELS[level][i]), backgroundColor: colour(LEVELS[level][i]), spanGaps: true})));
  chart($('latency'), {type: 'line', data: {labels, datasets: starts}, options: {scales: {x: {...x}, y: {beginAtZero: true, suggestedMax: 10}}}});
  figures(bins);
}

function figures(bins) {
  const from = bins[0].at;
  put($('plots-note'), knownFrom() > from + 1000 ? 'complete since ' + clock(knownFrom()) : '', 'note');
  const sum = read => bins.reduce((n, bin) => n + (read(bin) || 0), 0);
  const finished = sum(b => b.finished), starts = bins.flatMap(bin => Object.values(bin.starts).flat());
  const show = value => value == null ? '\u2013' : duration(value);
  draw($('period'), [['finished', finished], ['ok', finished ? Math.round(100 * sum(b => b.groups.ok) / finished) + ' %' : '\u2013'],
    ['timed out', sum(b => b.outcomes.timed_out)], ['out of memory', sum(b => b.outcomes.out_of_memory)],
    ['violations', sum(b => b.violations)], ['escalated', sum(b => b.escalated)],
    ['start p50', show(quantile(starts, .5))], ['start p95', show(quantile(starts, .95))]]);
}

/** Figures with their names, changed in place. */
export function draw(place, figures) {
  figures.forEach(([name, value, kind], i) => {
    let figure = place.children[i];
    if (!figure) {
      figure = make('div', '', 'figure');
      figure.append(make('b'), make('span', name));
      place.append(figure);
    }
    put(figure.firstChild, value, kind);
  });
}

export function preparePlots(again) {
  for (const name of Object.keys(RANGES)) {
    const button = make('button', name);
    button.setAttribute('aria-pressed', name === range);
    button.onclick = () => {
      range = name;
      for (const other of $('ranges').children) other.setAttribute('aria-pressed', other === button);
      again();
    };
    $('ranges').append(button);
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const id of [...charts.keys()]) dropChart(id);
    if ($('outcomes').offsetParent) drawPlots();
    again();
  });
}
