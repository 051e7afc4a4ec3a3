// The requests of the demo: it uses the public API with a sandbox key, and records each request for
// the reader.
import { type ApiSchemas, readJson } from '../../../docs-kit/browser/api-response.ts';
import { getToken } from '../../../docs-kit/browser/token-field.ts';
import {
  type DemoDays,
  type DemoUser,
  demoForms,
  detectForm,
  toDemoUser,
  type UserBody,
  type UserList,
} from './demo-forms.ts';
import { demoMetrics } from './demo-metrics.ts';

/** Relative to this page, so that the demo also works under a path prefix. */
const apiBase = location.href.replace(/[?#].*$/, '').replace(/docs\/demo\/?$/, '');
/** How many days of data the demo's users start with. */
const sandboxDays = 90;
const maxAttempts = 60;
const retryDelayMs = 500;

interface SentRequest {
  method: string;
  path: string;
  body: unknown;
  status: number;
  durationMs: number;
}

export const sentRequests: SentRequest[] = [];
let accountForm = demoForms[2];

async function callApi<Body>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Body> {
  const startMs = performance.now();
  const response = await fetch(new URL(path, apiBase), {
    method,
    headers: {
      Authorization: `Bearer ${getToken()}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // The page shows data as it arrives.
    cache: 'no-store',
  });
  sentRequests.push({ method, path, body, status: response.status, durationMs: performance.now() - startMs });
  return readJson<Body>(response);
}

/** Runs first, because the response reveals the form of the key's account. */
export async function listSandboxUsers(): Promise<DemoUser[]> {
  const list = await callApi<UserList>('GET', 'v1/users');
  accountForm = demoForms[detectForm(list)];
  return list.data.map(toDemoUser);
}

/** The demo's user with this persona: found by its reference, or created now. */
export async function findOrCreateUser(persona: string): Promise<DemoUser> {
  const reference = `demo-${persona}`;
  const {
    data: [known],
  } = await callApi<UserList>('GET', accountForm.buildSearchPath(reference));
  if (known) return toDemoUser(known);
  const created = await callApi<UserBody>('POST', 'v1/users', {
    external_ref: reference,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    profile: { sandbox_persona: persona, sandbox_days: sandboxDays },
  });
  return toDemoUser(created);
}

export const readDemoUser = async (id: string): Promise<DemoUser> =>
  toDemoUser(await callApi<UserBody>('GET', `v1/users/${encodeURIComponent(id)}`));

/**
 * Waits for a new user's newest days, which arrive within moments. After the last attempt it
 * returns what there is.
 */
export async function waitForScores(user: DemoUser, reportProgress: (text: string) => void): Promise<DemoUser> {
  let latest = user;
  for (let attempt = 0; attempt < maxAttempts && latest.last_score_at === null; attempt++) {
    reportProgress(
      latest.last_sync_at === null ? 'The ring and the phone are syncing…' : 'The scores are being computed…',
    );
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    latest = await readDemoUser(user.id);
  }
  return latest;
}

export interface LoadedDays extends DemoDays {
  metrics: ApiSchemas['Metric'][];
}

/** Reads this many days, of which the last one is today so far. */
export async function readDemoDays(user: DemoUser, count: number): Promise<LoadedDays> {
  const timeZone = user.timezone ?? 'UTC';
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format();
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - (count - 1) * 86_400_000).toISOString().slice(0, 10);
  const [days, { metrics }] = await Promise.all([
    accountForm.readDemoDays((path) => callApi('GET', `v1/users/${encodeURIComponent(user.id)}/${path}`), {
      first,
      today,
      metrics: demoMetrics,
    }),
    callApi<ApiSchemas['MetricCatalog']>('GET', 'v1/metrics'),
  ]);
  return { ...days, metrics };
}
