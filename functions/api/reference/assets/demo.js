// The demo page: draws a week of data for the chosen sandbox key and user.
import { measured, readDays, requestsMade, sandboxUsers, userById, userOf } from './demo-api.js';
import { weekCharts } from './demo-charts.js';
import { disclosure, element } from './dom.js';
import { currentToken, tokenField, useToken } from './token.js';

const personas = {
  average: 'An average week',
  athlete: 'An athlete',
  shift_worker: 'A shift worker who sleeps by day',
  traveller: 'A traveller between time zones',
  sparse: 'Someone with gaps in their data',
  new_user: 'Someone new, with only a few days',
  ill: 'Someone who fell ill',
  device_swap: 'Someone who changed devices',
  incomplete_log: 'Someone who logs only a few meals',
  child: 'An eight-year-old',
  older: 'A 72-year-old',
};
const choice = document.querySelector('#choice');
const status = document.querySelector('#status');
const charts = document.querySelector('#charts');
const requests = document.querySelector('#requests');

const person = element(
  'select',
  { id: 'person' },
  element(
    'optgroup',
    { label: 'Created by this page' },
    Object.entries(personas).map(([id, text]) => element('option', { value: `persona:${id}` }, text)),
  ),
);
const days = element(
  'select',
  { id: 'days' },
  ['7', '14', '30'].map((count) => element('option', { value: count }, `${count} days and today`)),
);
const button = element('button', { class: 'send' }, 'Draw');

function labelled(text, control) {
  return element('div', { class: 'field' }, element('label', { for: control.id }, text), control);
}

function lookLike(busy) {
  button.disabled = busy;
  charts.setAttribute('aria-busy', String(busy));
}

function say(text, { wrong = false } = {}) {
  status.textContent = text;
  status.classList.toggle('mistake', wrong);
}

const watchedFor = 120_000;
const lookEvery = 4_000;
let drawing = 0;

async function drawWeek() {
  const token = currentToken();
  if (!token.startsWith('sk_sandbox_')) {
    say('Enter a sandbox key (sk_sandbox_…). This page creates users, so it does not accept live keys.', {
      wrong: true,
    });
    return;
  }
  const turn = ++drawing;
  lookLike(true);
  requestsMade.length = 0;
  try {
    const [kind, id] = person.value.split(':');
    say('Looking for the user…');
    offerUsers(await sandboxUsers());
    const user = await measured(await (kind === 'persona' ? userOf(id) : userById(id)), say);
    await show(user);
    watch(user, turn);
  } catch (error) {
    complain(error);
  }
  requests.replaceChildren(requestList());
  lookLike(false);
}

async function show(user) {
  const week = await readDays(user, Number(days.value));
  charts.replaceChildren(...weekCharts(week));
  say(`${user.external_ref ?? user.id}, ${user.timezone}, ${week.daily.from_date} to ${week.daily.to_date}`);
}

/**
 * The charts are drawn before all devices have synced, and scores follow the data, so the page
 * keeps polling for a while.
 */
async function watch(user, turn) {
  let drawn = user;
  const end = performance.now() + watchedFor;
  while (performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
    if (turn !== drawing) return;
    if (document.hidden) continue;
    try {
      const latest = await userById(user.id);
      const same = latest.last_sync_at === drawn.last_sync_at && latest.last_score_at === drawn.last_score_at;
      if (same || turn !== drawing) continue;
      drawn = latest;
      await show(latest);
      requests.replaceChildren(requestList());
    } catch (error) {
      complain(error);
      return;
    }
  }
}

function complain(error) {
  console.error(error);
  say(`${error.message} Check the key and that the service is running, then draw again.`, { wrong: true });
}

function offerUsers(users) {
  const chosen = person.value;
  const others = users.filter(({ external_ref: reference }) => !reference?.startsWith('demo-'));
  person.querySelector('#others')?.remove();
  if (others.length === 0) return;
  const options = others.map((user) => element('option', { value: `user:${user.id}` }, user.external_ref ?? user.id));
  person.append(element('optgroup', { id: 'others', label: 'Users of this sandbox' }, options));
  person.value = chosen;
}

function requestList() {
  const items = requestsMade.map(({ method, path, body, status: answered, milliseconds }) =>
    element(
      'li',
      {},
      element('code', {}, `${method} /${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`),
      element('span', { class: 'quiet' }, ` ${answered}, ${Math.round(milliseconds)} ms`),
    ),
  );
  const title = `The ${items.length} requests behind this page`;
  return disclosure(title, () => element('ol', { class: 'request-list' }, items), { className: 'nested' });
}

choice.append(
  tokenField('token'),
  labelled('User', person),
  labelled('Range', days),
  element('div', { class: 'field' }, button),
);
choice.addEventListener('submit', (event) => {
  event.preventDefault();
  drawWeek();
});
for (const select of [person, days]) select.addEventListener('change', () => currentToken() && drawWeek());

/**
 * A link can pass a sandbox key after its #, which no server sees. The key is removed from the URL
 * immediately.
 */
const brought = location.hash.slice(1);
if (brought.startsWith('sk_sandbox_')) {
  history.replaceState(null, '', location.href.replace(/#.*$/, ''));
  useToken(brought);
}
if (currentToken().startsWith('sk_sandbox_')) drawWeek();
