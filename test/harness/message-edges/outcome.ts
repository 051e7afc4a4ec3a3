// The externally visible result of a journey, without the ids and times that differ from run to
// run, and the invariants that must hold after any fault.

import type { FeedRow } from '../../../shared/events/feed-rows.ts';
import type { Environment } from '../../../shared/system/caller.ts';
import { keys } from '../../../shared/system/keys.ts';
import { listPendingPartitions, sweptKinds } from '../../../shared/system/pending-kinds.ts';
import { readAllFeedRows } from '../outbox.ts';
import { readPartition } from '../raced-user.ts';
import { firstDate, lastDate, receiverUrl } from './journey.ts';
import type { JourneyState } from './journey-step.ts';
import type { SimulatedSystem } from './simulated-system.ts';

export async function readOutcome(system: SimulatedSystem, state: JourneyState) {
  const { account } = state;
  return {
    user: await readUserState(system, account.live_key, state.user),
    sandboxUser: await readUserState(system, account.sandbox_key, state.sandboxUser),
    live: await readFeedState(system, state, 'live'),
    sandbox: await readFeedState(system, state, 'sandbox'),
    liveDeliveries: await readDeliveries(system, account.live_key, state.liveHook),
    sandboxDeliveries: await readDeliveries(system, account.sandbox_key, state.sandboxHook),
    team: await readTeam(system, account.live_key),
    mails: system.emails.map(({ to, subject }) => `${to} ${subject}`),
    leftovers: await Promise.all(state.deleted.map((user) => readPartition(system.table, user))),
    pendingWork: await listPendingWork(system),
    deadLetters: system.deadLetters,
  };
}

async function readUserState(system: SimulatedSystem, token: string, user: string | undefined) {
  if (user === undefined) return undefined;
  const range = `from_date=${firstDate}&to_date=${lastDate}`;
  const get = async (path: string) => (await system.call('GET', `/v1/users/${user}${path}`, { token })).body;
  const { data: devices } = await get('/devices');
  return {
    days: (await get(`/daily?${range}`)).series,
    nights: (await get(`/sleep?${range}`)).data.map(withoutIds),
    scores: withoutTimes(await get(`/scores?include_factors=true&${range}`)),
    devices: devices.map(({ provider, status }: Record<string, string>) => `${status} ${provider}`),
  };
}

async function readFeedState(system: SimulatedSystem, state: JourneyState, env: Environment) {
  const feed = { account: state.account.account_id, env };
  const rows = await readAllFeedRows(system.deps.store, feed);
  const delivered = new Set(
    system.webhookRequests.filter(({ url }) => url === receiverUrl[env]).map(({ headers }) => headers['webhook-id']),
  );
  return {
    gapless: rows.every(({ seq }, index) => seq === index + 1),
    once: new Set(rows.map(({ id }) => id)).size === rows.length,
    undelivered: rows.filter(({ id }) => !delivered.has(id)).map(describeEvent),
    unheardOf: [...delivered].filter((id) => !rows.some((row) => row.id === id)),
    events: rows.map(describeEvent).sort(),
  };
}

/** Grouped by event. `listed` is undefined if the endpoint no longer exists. */
async function readDeliveries(system: SimulatedSystem, token: string, hook: string) {
  const { body } = await system.call('GET', `/v1/webhooks/${hook}/deliveries?limit=100`, { token });
  const { pk } = keys.delivery(hook, '');
  const { items } = await system.table.query({ where: '#pk = :pk', values: { pk } });
  return {
    rows: items.length,
    listed: body.data?.map(({ event_type, status }: Record<string, string>) => `${status} ${event_type}`).sort(),
  };
}

async function readTeam(system: SimulatedSystem, token: string): Promise<string[]> {
  const { body } = await system.call('GET', '/v1/team/roster', { token });
  return body.data.map(({ email, status }: Record<string, string>) => `${status} ${email}`);
}

const describeEvent = ({ type, metrics = [], more: { member_id, ...more } = {}, device }: FeedRow): string =>
  JSON.stringify([type, [...metrics].sort(), more, member_id !== undefined, device !== undefined]);

async function listPendingWork({ table }: SimulatedSystem): Promise<string[]> {
  const found: string[] = [];
  for (const kind of sweptKinds)
    for (const due of listPendingPartitions(kind)) {
      const values = { due };
      const { items } = await table.query({ index: 'by-due', where: '#duePk = :due', values });
      found.push(...items.map(({ sk }) => `${kind} ${sk}`));
    }
  return found;
}

const withoutIds = ({ id, device_id, ...rest }: Record<string, unknown>) => rest;

const withoutTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, each) => (/_at$|^id$|user_id|device_id/.test(name) ? undefined : each)));
