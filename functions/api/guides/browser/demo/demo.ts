// The demo page: draws the days of data of the chosen sandbox key and user.
import { createDisclosure, createElement, findElement } from '../../../docs-kit/browser/dom.ts';
import { getToken, isSandboxKey, renderTokenField, setToken } from '../../../docs-kit/browser/token-field.ts';
import { renderDays } from './day-charts.ts';
import {
  findOrCreateUser,
  listSandboxUsers,
  readDemoDays,
  readDemoUser,
  sentRequests,
  waitForScores,
} from './demo-api.ts';
import type { DemoUser } from './demo-forms.ts';
import { personaNames } from './personas.ts';

const form = findElement('#demo-form', HTMLFormElement);
const statusElement = findElement('#status', HTMLElement);
const chartsElement = findElement('#charts', HTMLElement);
const requestsElement = findElement('#requests', HTMLElement);

const userSelect = createElement(
  'select',
  { id: 'user' },
  createElement(
    'optgroup',
    { label: 'Created by this page' },
    Object.entries(personaNames).map(([id, text]) => createElement('option', { value: `persona:${id}` }, text)),
  ),
);
const daysSelect = createElement(
  'select',
  { id: 'days' },
  ['90', '30', '7'].map((count) => createElement('option', { value: count }, `${count} days`)),
);
const drawButton = createElement('button', { class: 'primary-button' }, 'Draw');

function renderLabeledField(text: string, control: HTMLElement): HTMLElement {
  return createElement('div', { class: 'field' }, createElement('label', { for: control.id }, text), control);
}

function setBusy(isBusy: boolean): void {
  drawButton.disabled = isBusy;
  chartsElement.setAttribute('aria-busy', String(isBusy));
}

function showStatus(text: string, { isError = false } = {}): void {
  statusElement.textContent = text;
  statusElement.classList.toggle('error', isError);
}

const pollDurationMs = 120_000;
const pollIntervalMs = 4_000;
let latestDrawId = 0;

async function drawDays(): Promise<void> {
  if (!isSandboxKey(getToken())) {
    showStatus('Enter a sandbox key (sk_sandbox_…). This page creates users, so it does not accept live keys.', {
      isError: true,
    });
    return;
  }
  const drawId = ++latestDrawId;
  setBusy(true);
  sentRequests.length = 0;
  try {
    const [kind, id = ''] = userSelect.value.split(':');
    showStatus('Looking for the user…');
    showUserOptions(await listSandboxUsers());
    const chosen = await (kind === 'persona' ? findOrCreateUser(id) : readDemoUser(id));
    const user = await waitForScores(chosen, showStatus);
    await showDays(user);
    void pollForChanges(user, drawId);
  } catch (error) {
    showError(error);
  }
  requestsElement.replaceChildren(renderRequestList());
  setBusy(false);
}

async function showDays(user: DemoUser): Promise<void> {
  const days = await readDemoDays(user, Number(daysSelect.value));
  chartsElement.replaceChildren(...renderDays(days));
  showStatus(
    `${user.external_ref ?? user.id}, ${user.timezone ?? 'UTC'}, ${days.daily.from_date} to ${days.daily.to_date}`,
  );
}

/**
 * The charts are drawn with the newest days. Earlier ones and the scores follow, so the page keeps
 * polling for a while.
 */
async function pollForChanges(user: DemoUser, drawId: number): Promise<void> {
  let shownUser = user;
  const endMs = performance.now() + pollDurationMs;
  while (performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    if (drawId !== latestDrawId) return;
    if (document.hidden) continue;
    try {
      const latest = await readDemoUser(user.id);
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

function showError(error: unknown): void {
  console.error(error);
  const reason = error instanceof Error ? error.message : String(error);
  showStatus(`${reason} Check the key and that the service is running, then draw again.`, { isError: true });
}

function showUserOptions(users: readonly DemoUser[]): void {
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

function renderRequestList(): HTMLElement {
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
  void drawDays();
});
for (const select of [userSelect, daysSelect])
  select.addEventListener('change', () => {
    if (getToken() !== '') void drawDays();
  });

/**
 * A link can pass a sandbox key after its #, which no server sees. The key is removed from the URL
 * immediately.
 */
const keyFromHash = location.hash.slice(1);
if (isSandboxKey(keyFromHash)) {
  history.replaceState(null, '', location.href.replace(/#.*$/, ''));
  setToken(keyFromHash);
}
if (isSandboxKey(getToken())) void drawDays();
