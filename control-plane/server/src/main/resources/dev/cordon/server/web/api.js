// How the page asks the service. Every refusal is said: in the notice at the page's foot, or by who called.
import {$, make} from './text.js';

let token = sessionStorage.getItem('cordon-token') || '';
export const hasToken = () => token !== '';
export function useToken(text) {
  token = text;
  sessionStorage.setItem('cordon-token', text);
}

export const api = (path, options = {}) =>
  fetch(path, {...options, headers: {...(token ? {Authorization: 'Bearer ' + token} : {}), ...options.headers}});

export async function json(path, options) {
  const answer = await api(path, options);
  if (!answer.ok) throw await problem(answer);
  return answer.json();
}

async function problem(answer) {
  let detail = 'HTTP ' + answer.status;
  try {
    detail = (await answer.json()).detail || detail;
  } catch { /* no JSON: the status is all there is */ }
  const error = new Error(detail);
  error.status = answer.status;
  return error;
}

/** Does something, and says so when it is refused. */
export async function act(what, path, options) {
  try {
    const answer = await api(path, options);
    if (!answer.ok) throw await problem(answer);
    return true;
  } catch (e) {
    notice(what + ' was refused: ' + e.message);
    return false;
  }
}

export function notice(text) {
  const close = make('button', 'dismiss');
  close.onclick = () => $('notice').replaceChildren();
  $('notice').replaceChildren(make('span', text), close);
}

/** All objects of a list, at most that many pages of a hundred; tells whether more were left. */
export async function pages(path, most) {
  const found = [];
  let cursor = null;
  for (let i = 0; i < most; i++) {
    const page = await json(path + (path.includes('?') ? '&' : '?') + 'limit=100' + (cursor ? '&cursor=' + encodeURIComponent(cursor) : ''));
    found.push(...page.data);
    cursor = page.next_cursor;
    if (!cursor) break;
  }
  return {found, more: cursor != null};
}

export async function* lines(response) {
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
