// Users whose days were built by the first merge rules: the sweep has them rebuilt once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeRule } from '../../../shared/catalog/merge-rule.ts';
import { compileMerge } from '../../../shared/consolidation/merge-day.ts';
import { decodeCanonicalDay, packCanonicalRow } from '../../../shared/measurements/codec/canonical-day.ts';
import { unpackNormalizedRows } from '../../../shared/measurements/codec/normalized-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { rescoreUsers } from '../../../shared/pipeline/scoring/rescore-users.ts';
import { readExplanation } from '../../../shared/reads/explanations/read-explanation.ts';
import { keys } from '../../../shared/system/keys.ts';
import { commandRows } from '../../../shared/users/command-rows.ts';
import {
  devicesWithData,
  readUserContext,
  readUserContextWithCommands,
  toRankedDevice,
} from '../../../shared/users/user-context.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { listPendingEvents } from '../../harness/outbox.ts';
import { runWriter } from '../../harness/run-writer.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const date = '2026-03-10';
const night = { start: '2026-03-09T23:00:00Z', end: '2026-03-10T06:30:00Z' };
const ring = { name: 'Ring', model: 'R1', type: 'ring' };
const watch = { name: 'Watch', model: 'W1', type: 'wrist' };

async function send(user: string, device: object, minutes: object): Promise<void> {
  world.clock.advance(1_000);
  const sleep = [{ ...night, ...minutes }];
  await world.upload(user, 'apple_health', { time_zone: 'UTC', device, sleep });
  await runWriter(world.deps, user);
}

async function readDay(user: string) {
  const day = (await dayRows(world.deps.store).readCanonical(user, [date])).get(date);
  if (!day) throw new Error('the day is missing');
  return { day, deep: decodeCanonicalDay(day.packed).get('deep_sleep')?.value ?? null, rule: day.mergeRule };
}

/** Stores the day as the first rules made it. */
async function restoreFirstRules(user: string): Promise<void> {
  const { store } = world.deps;
  const userContext = await readUserContext(world.deps, user);
  const normalized = (await dayRows(store).readNormalized(user, [date])).get(date);
  if (!userContext || !normalized) throw new Error('the user has no data');
  const merge = compileMerge(devicesWithData(userContext.devices).map(toRankedDevice), userContext.state.settings, 1);
  const packed = packCanonicalRow(merge(unpackNormalizedRows(normalized.packed)));
  await dayRows(store).replaceCanonical(user, { ...(await readDay(user)).day, packed, mergeRule: 1 });
  await store.table.write({
    kind: 'update',
    key: keys.user(user),
    update: 'SET #mergeRule = :rule',
    values: { rule: 1 },
  });
}

const explainDeepSleep = (user: string) =>
  readExplanation(world.deps, world.caller, user, { date, about: { kind: 'metric', metric: 'deep_sleep' } });

const eventsOf = async (...users: string[]): Promise<string[]> =>
  (await listPendingEvents(world.deps.store))
    .filter(({ user }) => typeof user === 'string' && users.includes(user))
    .map(({ type, user }) => `${type} ${user}`)
    .sort();

test('a user is rebuilt once with one event, one whose days stay the same with none, and explanations follow the stored day', async () => {
  const user = await world.user({ timezone: 'UTC' });
  await send(user, ring, { asleep_minutes: 400 });
  await send(user, watch, { asleep_minutes: 410, deep_minutes: 60 });
  const same = await world.user({ timezone: 'UTC' });
  await send(same, ring, { asleep_minutes: 400, deep_minutes: 70 });
  for (const each of [user, same]) await restoreFirstRules(each);
  expect(await readDay(user)).toMatchObject({ deep: null, rule: 1 });
  expect(await explainDeepSleep(user)).toMatchObject({ value: null, isPending: false });
  const before = await eventsOf(user, same);

  await rescoreUsers(world.deps);
  for (const each of [user, same]) await runWriter(world.deps, each);
  expect(await readDay(user)).toMatchObject({ deep: 60, rule: mergeRule });
  expect(await explainDeepSleep(user)).toMatchObject({ value: 60, isPending: false });
  expect(await eventsOf(user, same)).toEqual([...before, `subject.synced ${user}`].sort());

  await rescoreUsers(world.deps);
  await rescoreUsers(world.deps);
  for (const each of [user, same]) await runWriter(world.deps, each);
  expect(await eventsOf(user, same)).toHaveLength(before.length + 1);
});

test('a rebuild that had begun under earlier rules begins again', async () => {
  const user = await world.user({ timezone: 'UTC' });
  await send(user, ring, { asleep_minutes: 400 });
  await send(user, watch, { asleep_minutes: 410, deep_minutes: 60 });
  await restoreFirstRules(user);
  const { store } = world.deps;
  await store.table.transact([commandRows(store).buildRequest(user, 'rebuild', 'cmd_1', world.clock.now())]);
  const { commands } = await readUserContextWithCommands(world.deps, user, 'oldest');
  const rebuild = commands.find(({ kind }) => kind === 'rebuild');
  if (rebuild?.kind !== 'rebuild') throw new Error('no rebuild is pending');
  const cursor = { atMs: 0, through: date, from: null, to: null };
  await store.table.transact([commandRows(store).buildSaveProgress(user, rebuild, cursor)]);
  await runWriter(world.deps, user);
  expect(await readDay(user)).toMatchObject({ deep: 60, rule: mergeRule });
});
