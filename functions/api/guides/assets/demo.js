// The demo page: draws the days of data of the chosen sandbox key and user.

import { createDisclosure, createElement } from '../../docs-kit/assets/dom.js';
import { getToken, renderTokenField, setToken } from '../../docs-kit/assets/token.js';
import { findOrCreateUser, getUser, listSandboxUsers, readDays, sentRequests, waitForScores } from './demo-api.js';
import { renderDays } from './demo-charts.js';

const personas = {
  average: 'An average person',
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
const form = document.querySelector('#demo-form');
const statusElement = document.querySelector('#status');
const chartsElement = document.querySelector('#charts');
const requestsElement = document.querySelector('#requests');

const userSelect = createElement(
  'select',
  { id: 'user' },
  createElement(
    'optgroup',
    { label: 'Created by this page' },
    Object.entries(personas).map(([id, text]) => createElement('option', { value: `persona:${id}` }, text)),
  ),
);
const daysSelect = createElement(
  'select',
  { id: 'days' },
  ['90', '30', '7'].map((count) => createElement('option', { value: count }, `${count} days`)),
);
const drawButton = createElement('button', { class: 'primary-button' }, 'Draw');

function renderLabeledField(text, control) {
  return createElement('div', { class: 'field' }, createElement('label', { for: control.id }, text), control);
}

function setBusy(isBusy) {
  drawButton.disabled = isBusy;
  chartsElement.setAttribute('aria-busy', String(isBusy));
}

function showStatus(text, { isError = false } = {}) {
  statusElement.textContent = text;
  statusElement.classList.toggle('error', isError);
}

const pollDurationMs = 120_000;
const pollIntervalMs = 4_000;
let latestDrawId = 0;

async function drawDays() {
  const token = getToken();
  if (!token.startsWith('sk_sandbox_')) {
    showStatus('Enter a sandbox key (sk_sandbox_…). This page creates users, so it does not accept live keys.', {
      isError: true,
    });
    return;
  }
  const drawId = ++latestDrawId;
  setBusy(true);
  sentRequests.length = 0;
  try {
    const [kind, id] = userSelect.value.split(':');
    showStatus('Looking for the user…');
    showUserOptions(await listSandboxUsers());
    const user = await waitForScores(await (kind === 'persona' ? findOrCreateUser(id) : getUser(id)), showStatus);
    await showDays(user);
    pollForChanges(user, drawId);
  } catch (error) {
    showError(error);
  }
  requestsElement.replaceChildren(renderRequestList());
  setBusy(false);
}

async function showDays(user) {
  const days = await readDays(user, Number(daysSelect.value));
  chartsElement.replaceChildren(...renderDays(days));
  showStatus(`${user.external_ref ?? user.id}, ${user.timezone}, ${days.daily.from_date} to ${days.daily.to_date}`);
}

/**
 * The charts are drawn with the newest days. Earlier ones and the scores follow, so the page keeps
 * polling for a while.
 */
async function pollForChanges(user, drawId) {
  let shownUser = user;
  const endMs = performance.now() + pollDurationMs;
  while (performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    if (drawId !== latestDrawId) return;
    if (document.hidden) continue;
    try {
      const latest = await getUser(user.id);
      const isUnchanged =
        latest.last_sync_at === shownUser.last_sync_at && latest.last_score_at === shownUser.last_score_at;
      if (isUnchanged || drawId !== latestDrawId) continue;
      shownUser = latest;
      await showDays(latest);
      requestsElement.replaceChildren(renderRequestList());
    } catch (error) {
      showError(error);
      return;
    }
  }
}

function showError(error) {
  console.error(error);
  showStatus(`${error.message} Check the key and that the service is running, then draw again.`, { isError: true });
}

function showUserOptions(users) {
  const selectedValue = userSelect.value;
  const otherUsers = users.filter(({ external_ref: reference }) => !reference?.startsWith('demo-'));
  userSelect.querySelector('#sandbox-users')?.remove();
  if (otherUsers.length === 0) return;
  const options = otherUsers.map((user) =>
    createElement('option', { value: `user:${user.id}` }, user.external_ref ?? user.id),
  );
  userSelect.append(createElement('optgroup', { id: 'sandbox-users', label: 'Users of this sandbox' }, options));
  userSelect.value = selectedValue;
}

function renderRequestList() {
  const items = sentRequests.map(({ method, path, body, status: statusCode, durationMs }) =>
    createElement(
      'li',
      {},
      createElement('code', {}, `${method} /${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`),
      createElement('span', { class: 'muted' }, ` ${statusCode}, ${Math.round(durationMs)} ms`),
    ),
  );
  const title = `The ${items.length} requests behind this page`;
  return createDisclosure(title, () => createElement('ol', { class: 'request-list' }, items), { className: 'nested' });
}

form.append(
  renderTokenField('token'),
  renderLabeledField('User', userSelect),
  renderLabeledField('Range', daysSelect),
  createElement('div', { class: 'field' }, drawButton),
);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  drawDays();
});
for (const select of [userSelect, daysSelect]) select.addEventListener('change', () => getToken() && drawDays());

/**
 * A link can pass a sandbox key after its #, which no server sees. The key is removed from the URL
 * immediately.
 */
const keyFromHash = location.hash.slice(1);
if (keyFromHash.startsWith('sk_sandbox_')) {
  history.replaceState(null, '', location.href.replace(/#.*$/, ''));
  setToken(keyFromHash);
}
if (getToken().startsWith('sk_sandbox_')) drawDays();
