// The requests of the demo: it uses the public API with a sandbox key, and records each request for
// the reader.
import { demoForms, formOfUsers } from './demo-forms.js';
import { currentToken } from './token.js';

/** Relative to this page, so that the demo also works under a path prefix. */
const apiBase = location.href.replace(/[?#].*$/, '').replace(/docs\/demo\/?$/, '');
const tries = 60;
const pauseMilliseconds = 500;

export const requestsMade = [];
let form = demoForms[2];

async function call(method, path, body) {
  const started = performance.now();
  const response = await fetch(new URL(path, apiBase), {
    method,
    headers: {
      Authorization: `Bearer ${currentToken()}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  requestsMade.push({ method, path, body, status: response.status, milliseconds: performance.now() - started });
  if (!response.ok) throw new Error(answer.message ?? `The service responded with ${response.status}.`);
  return answer;
}

/** Runs first, because the response reveals the form of the key's account. */
export async function sandboxUsers() {
  const list = await call('GET', 'v1/users');
  form = demoForms[formOfUsers(list)];
  return list.data.map(form.user);
}

/** The demo's user with this persona: found by its reference, or created now. */
export async function userOf(persona) {
  const reference = `demo-${persona}`;
  const { data } = await call('GET', form.found(reference));
  if (data[0]) return form.user(data[0]);
  const made = await call('POST', 'v1/users', {
    external_ref: reference,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    profile: { sandbox_persona: persona },
  });
  return form.user(made);
}

export const userById = async (id) => form.user(await call('GET', `v1/users/${encodeURIComponent(id)}`));

/**
 * Waits for a new user's week, which arrives within moments. After the last attempt it returns what
 * there is.
 */
export async function measured(user, tell) {
  let latest = user;
  for (let attempt = 0; attempt < tries && latest.last_score_at === null; attempt++) {
    tell(latest.last_sync_at === null ? 'The ring and the phone are syncing…' : 'The scores are being computed…');
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    latest = await userById(user.id);
  }
  return latest;
}

/** Reads `count` whole days, and today so far. */
export async function readDays(user, count) {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: user.timezone, dateStyle: 'short' }).format();
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);
  const types =
    'steps,asleep,deep_sleep,light_sleep,rem_sleep,time_awake,resting_heart_rate,sleep_heart_rate_variability,heart_rate_variability';
  const read = (path) => call('GET', `v1/users/${user.id}/${path}`);
  const [week, { metrics }] = await Promise.all([form.week(read, { first, today, types }), call('GET', 'v1/metrics')]);
  return { ...week, metrics };
}
