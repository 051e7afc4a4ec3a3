// What somebody outside can see of a journey, without the ids and times that differ from run to run; and what must hold whatever happened.

import type { FeedRow } from '../../../shared/events/feed-rows.ts';
import type { Environment } from '../../../shared/system/caller.ts';
import { duePartitions, sweptKinds } from '../../../shared/system/due.ts';
import { keys } from '../../../shared/system/keys.ts';
import { wholeFeed } from '../outbox.ts';
import { wholePartition } from '../raced-user.ts';
import { firstDate, lastDate, receiverUrl } from './journey.ts';
import type { PostOffice } from './post-office.ts';
import type { Travellers } from './travellers.ts';

export async function outcomeOf(office: PostOffice, who: Travellers) {
  const { account } = who;
  return {
    user: await readable(office, account.live_key, who.user),
    sandboxUser: await readable(office, account.sandbox_key, who.sandboxUser),
    live: await told(office, who, 'live'),
    sandbox: await told(office, who, 'sandbox'),
    liveDeliveries: await deliveries(office, account.live_key, who.liveHook),
    sandboxDeliveries: await deliveries(office, account.sandbox_key, who.sandboxHook),
    team: await team(office, account.live_key),
    mails: office.mails.map(({ to, subject }) => `${to} ${subject}`),
    leftovers: await Promise.all(who.deleted.map((user) => wholePartition(office.table, user))),
    owed: await stillOwed(office),
    deadLetters: office.deadLetters,
  };
}

async function readable(office: PostOffice, token: string, user: string | undefined) {
  if (user === undefined) return undefined;
  const range = `from_date=${firstDate}&to_date=${lastDate}`;
  const get = async (path: string) => (await office.call('GET', `/v1/users/${user}${path}`, { token })).body;
  const { data: devices } = await get('/devices');
  return {
    days: (await get(`/daily?${range}`)).series,
    nights: (await get(`/sleep?${range}`)).data.map(withoutIds),
    scores: withoutTimes(await get(`/scores?include_factors=true&${range}`)),
    devices: devices.map(({ provider, status }: Record<string, string>) => `${status} ${provider}`),
  };
}

async function told(office: PostOffice, who: Travellers, env: Environment) {
  const feed = { account: who.account.account_id, env };
  const rows = await wholeFeed(office.deps.store, feed);
  const delivered = new Set(
    office.letters.filter(({ url }) => url === receiverUrl[env]).map(({ headers }) => headers['webhook-id']),
  );
  return {
    gapless: rows.every(({ seq }, index) => seq === index + 1),
    once: new Set(rows.map(({ id }) => id)).size === rows.length,
    undelivered: rows.filter(({ id }) => !delivered.has(id)).map(described),
    unheardOf: [...delivered].filter((id) => !rows.some((row) => row.id === id)),
    events: rows.map(described).sort(),
  };
}

/** By event; undefined when the endpoint is gone. */
async function deliveries(office: PostOffice, token: string, hook: string) {
  const { body } = await office.call('GET', `/v1/webhooks/${hook}/deliveries?limit=100`, { token });
  const { pk } = keys.delivery(hook, '');
  const { items } = await office.table.query({ where: '#pk = :pk', values: { pk } });
  return {
    rows: items.length,
    listed: body.data?.map(({ event_type, status }: Record<string, string>) => `${status} ${event_type}`).sort(),
  };
}

async function team(office: PostOffice, token: string): Promise<string[]> {
  const { body } = await office.call('GET', '/v1/team/roster', { token });
  return body.data.map(({ email, status }: Record<string, string>) => `${status} ${email}`);
}

const described = ({ type, metrics = [], more: { member_id, ...more } = {}, device }: FeedRow): string =>
  JSON.stringify([type, [...metrics].sort(), more, member_id !== undefined, device !== undefined]);

async function stillOwed({ table }: PostOffice): Promise<string[]> {
  const found: string[] = [];
  for (const kind of sweptKinds)
    for (const due of duePartitions(kind)) {
      const values = { due };
      const { items } = await table.query({ index: 'by-due', where: '#duePk = :due', values });
      found.push(...items.map(({ sk }) => `${kind} ${sk}`));
    }
  return found;
}

const withoutIds = ({ id, device_id, ...rest }: Record<string, unknown>) => rest;

const withoutTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, each) => (/_at$|^id$|user_id|device_id/.test(name) ? undefined : each)));
