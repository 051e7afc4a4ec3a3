// The requests of the demo: it uses the public API with a sandbox key, and records each request for
// the reader.

import { getToken } from '../../docs-kit/assets/token.js';
import { demoForms, detectForm } from './demo-forms.js';

/** Relative to this page, so that the demo also works under a path prefix. */
const apiBase = location.href.replace(/[?#].*$/, '').replace(/docs\/demo\/?$/, '');
/** How many days of data the demo's users start with. */
const sandboxDays = 90;
const maxAttempts = 60;
const retryDelayMs = 500;

export const sentRequests = [];
let accountForm = demoForms[2];

async function callApi(method, path, body) {
  const startMs = performance.now();
  const response = await fetch(new URL(path, apiBase), {
    method,
    headers: {
      Authorization: `Bearer ${getToken()}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const responseBody = await response.json();
  sentRequests.push({ method, path, body, status: response.status, durationMs: performance.now() - startMs });
  if (!response.ok) throw new Error(responseBody.message ?? `The service responded with ${response.status}.`);
  return responseBody;
}

/** Runs first, because the response reveals the form of the key's account. */
export async function listSandboxUsers() {
  const list = await callApi('GET', 'v1/users');
  accountForm = demoForms[detectForm(list)];
  return list.data.map(accountForm.toUser);
}

/** The demo's user with this persona: found by its reference, or created now. */
export async function findOrCreateUser(persona) {
  const reference = `demo-${persona}`;
  const { data } = await callApi('GET', accountForm.buildSearchPath(reference));
  if (data[0]) return accountForm.toUser(data[0]);
  const created = await callApi('POST', 'v1/users', {
    external_ref: reference,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    profile: { sandbox_persona: persona, sandbox_days: sandboxDays },
  });
  return accountForm.toUser(created);
}

export const getUser = async (id) => accountForm.toUser(await callApi('GET', `v1/users/${encodeURIComponent(id)}`));

/**
 * Waits for a new user's newest days, which arrive within moments. After the last attempt it
 * returns what there is.
 */
export async function waitForScores(user, reportProgress) {
  let latest = user;
  for (let attempt = 0; attempt < maxAttempts && latest.last_score_at === null; attempt++) {
    reportProgress(
      latest.last_sync_at === null ? 'The ring and the phone are syncing…' : 'The scores are being computed…',
    );
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    latest = await getUser(user.id);
  }
  return latest;
}

/** Reads this many days, of which the last one is today so far. */
export async function readDays(user, count) {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: user.timezone, dateStyle: 'short' }).format();
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - (count - 1) * 86_400_000).toISOString().slice(0, 10);
  const types =
    'steps,asleep,deep_sleep,light_sleep,rem_sleep,time_awake,resting_heart_rate,sleep_heart_rate_variability,heart_rate_variability';
  const read = (path) => callApi('GET', `v1/users/${user.id}/${path}`);
  const [days, { metrics }] = await Promise.all([
    accountForm.readDays(read, { first, today, types }),
    callApi('GET', 'v1/metrics'),
  ]);
  return { ...days, metrics };
}
