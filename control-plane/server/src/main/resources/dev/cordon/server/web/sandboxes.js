// Sandboxes that stay. Ending one takes two presses: what is in it is gone then.
import {act, json} from './api.js';
import {$, duration, labelsOf, make, plain, time} from './text.js';

let known = [], more = false, asked = null;

export async function askSandboxes() {
  const page = await json('/v1/sandboxes?limit=100');
  [known, more] = [page.data, page.next_cursor != null];
  drawSandboxes();
}

export function drawSandboxes() {
  $('sandbox-table').hidden = known.length === 0;
  $('no-sandboxes').hidden = known.length > 0;
  $('sandboxes-note').hidden = !more;
  const body = $('sandboxes');
  for (const tr of [...body.children]) if (!known.some(box => box.id === tr.dataset.id)) tr.remove();
  for (const box of known) {
    const old = [...body.children].find(tr => tr.dataset.id === box.id);
    const tr = old || row(box);
    if (!old) body.append(tr);
    const texts = [box.owner, labelsOf(box), box.state, box.isolation, box.running_jobs, box.violations,
      box.expires_at ? duration(Math.max(0, time(box.expires_at) - Date.now())) : 'no end'];
    texts.forEach((text, i) => { tr.children[i + 1].textContent = plain(text); });
    tr.children[2].title = plain(labelsOf(box));
  }
}

function row(box) {
  const tr = document.createElement('tr');
  tr.dataset.id = box.id;
  tr.append(make('td', box.id, 'id'), ...['wide', 'labels wide', '', 'wide', 'number wide', 'number wide', 'number', 'act'].map(kind => make('td', '', kind)));
  const button = make('button', 'close');
  button.setAttribute('aria-label', 'close ' + box.id);
  button.onclick = () => press(button, box.id);
  button.onblur = () => calm(button);
  tr.lastChild.append(button);
  return tr;
}

function calm(button) {
  asked = null;
  button.textContent = 'close';
  button.className = '';
}

async function press(button, id) {
  if (asked !== id) {
    asked = id;
    button.textContent = 'really?';
    button.className = 'danger';
    return;
  }
  calm(button);
  if (await act('closing ' + id, '/v1/sandboxes/' + id, {method: 'DELETE'})) await askSandboxes();
}
