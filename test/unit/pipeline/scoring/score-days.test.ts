import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepWorker } from '../../../../functions/workers/sweep.ts';
import { scoringGeneration } from '../../../../shared/catalog/score-table.ts';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { decodeCanonicalDay } from '../../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../../shared/measurements/rows/day-rows.ts';
import { scoreRows, unpackScoreDay } from '../../../../shared/measurements/rows/score-rows.ts';
import type { Table, Write } from '../../../../shared/platform/ports.ts';
import { keys } from '../../../../shared/system/keys.ts';
import { userRows } from '../../../../shared/users/user-rows.ts';
import { presentUser, updateUser } from '../../../../shared/users/users.ts';
import {
  type DomainWorld,
  type EngineDomainWorld,
  openDomainWorld,
  openEngineDomainWorld,
} from '../../../harness/domain-world.ts';
import { readEvents } from '../../../harness/outbox.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import { listPendingOwners } from '../../../harness/pending-work.ts';
import { runWriter, runWriterUntilIdle } from '../../../harness/run-writer.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

type DailyTotal = [date: string, metric: string, value: number, unit: string];

const dates = (count: number, year = 2026) =>
  Array.from({ length: count }, (_none, i) => new Date(Date.UTC(year, 0, 1 + i)).toISOString().slice(0, 10));

/** Sends an upload that is not yet processed. */
const sendUpload = (user: string, daily: DailyTotal[], at: DomainWorld = world) =>
  at.upload(user, 'apple_health', {
    time_zone: 'UTC',
    device: { name: 'Watch', model: 'Watch7,1', type: 'wrist' },
    daily: daily.map(([date, metric, value, unit]) => ({ date, metric, value, unit })),
  });
async function uploadAndProcess(user: string, daily: DailyTotal[]) {
  await sendUpload(user, daily);
  await runWriter(world.deps, user);
}

const stepsOf = (count: number, { more = 0, year = 2026 } = {}) =>
  dates(count, year).map((date, i): DailyTotal => [date, 'steps', more + 8000 + ((i * 37) % 11) * 200, 'count']);

async function createWalker(count: number): Promise<string> {
  const user = await world.user();
  await uploadAndProcess(user, stepsOf(count));
  return user;
}

async function readStoredScores(user: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const row of scoreRows(world.deps.store).iterateBetween(user, '0000', '9999', { consistent: true })) {
    const { scores, without } = unpackScoreDay(row, scoringGeneration) ?? {};
    found.push([row.date, JSON.stringify([[...(scores ?? [])], [...(without ?? [])]])]);
  }
  return found;
}
const isValued = ([, text]: [string, string]) => text.includes('"value"');
const findEvents = async (user: string, type = 'score.updated', at: DomainWorld = world) =>
  (await at.events()).filter((event) => event['type'] === type && event['user'] === user);
const listDueUsers = () => listPendingOwners(world.deps.store, 'user');
const isEnd = (all: readonly Write[], user: string) =>
  all.some(
    (each) => each.kind === 'update' && each.key.pk === keys.user(user).pk && each.key.sk === keys.user(user).sk,
  );

/** Lets `writes` writes through and fails from then on. */
function crashingAfter(writes: number): { table: Table; died: () => boolean } {
  let left = writes;
  let died = false;
  const guarded = async <T>(go: () => Promise<T>): Promise<T> => {
    if (left-- <= 0) {
      died = true;
      throw new Error('killed');
    }
    return go();
  };
  const { table } = world.localTable;
  return {
    table: {
      ...table,
      write: (each) => guarded(() => table.write(each)),
      batchWrite: (all) => guarded(() => table.batchWrite(all)),
      transact: (all) => guarded(() => table.transact(all)),
    },
    died: () => died,
  };
}

test('the changes of an upload are scored and published with it in one transaction, and nothing is left to do', async () => {
  const user = await world.user();
  await sendUpload(user, stepsOf(30));
  const { table } = world.localTable;
  const together: unknown[] = [];
  const watched: Table = {
    ...table,
    async transact(all) {
      const types = all.flatMap((each) => (each.kind === 'put' ? readEvents([each.item]).map(({ type }) => type) : []));
      if (types.length > 0) together.push(types);
      return table.transact(all);
    },
  };
  await runWriter(world.withTable(watched), user);
  expect(together).toEqual([['data.updated', 'score.updated']]);
  expect((await readStoredScores(user)).filter(isValued).map(([date]) => date)).toEqual(dates(30).slice(5));
  expect(await findEvents(user)).toMatchObject([
    { more: { scores: ['strain_score'], from_date: '2026-01-06', to_date: '2026-01-30' } },
  ]);
  expect(await listDueUsers()).not.toContain(user);
});

test('the same message again, or eight at once, changes nothing and publishes nothing', async () => {
  const user = await createWalker(20);
  const before = await readStoredScores(user);
  expect(before.filter(isValued)).toHaveLength(15);
  await Promise.all(Array.from({ length: 8 }, () => runWriter(world.withTable(world.localTable.table), user)));
  await runWriter(world.deps, user);
  expect(await readStoredScores(user)).toEqual(before);
  expect(await findEvents(user)).toHaveLength(1);
});

test('a writer that crashes at any write is completed by the next, and each event is published once', async () => {
  const right = await readStoredScores(await createWalker(45));
  let deaths = 0;
  for (; ; deaths++) {
    const user = await world.user();
    await sendUpload(user, stepsOf(45));
    // About a hundred days are written first: only the writes after them are tried one by one.
    const dying = crashingAfter(deaths < 3 ? deaths * 30 : 90 + deaths - 3);
    await runWriter(world.withTable(dying.table), user).catch(() => {});
    if (!dying.died()) break;
    expect(await listDueUsers()).toContain(user);
    await runWriterUntilIdle(world.deps, user);
    expect(await readStoredScores(user)).toEqual(right);
    const days = { from_date: '2026-01-06', to_date: '2026-02-14' };
    expect(await findEvents(user)).toMatchObject([{ more: { scores: ['strain_score'], ...days } }]);
    expect(await findEvents(user, 'data.updated')).toMatchObject([{ more: { from_date: '2026-01-01' } }]);
    expect(await listDueUsers()).not.toContain(user);
    expect(deaths).toBeLessThan(20);
  }
  expect(deaths).toBeGreaterThan(4);
});

test('an upload that arrives while scores are computed is processed and scored by the same run', async () => {
  const user = await world.user();
  await sendUpload(user, stepsOf(20));
  let disturbed = false;
  const { table } = world.localTable;
  const meanwhile: Table = {
    ...table,
    async transact(all) {
      if (isEnd(all, user) && !disturbed) {
        disturbed = true;
        await sendUpload(user, stepsOf(20, { more: 1000 }));
      }
      return table.transact(all);
    },
  };
  await runWriter(world.withTable(meanwhile), user);
  expect(disturbed).toBe(true);
  expect(await listDueUsers()).not.toContain(user);
  expect(await findEvents(user)).toHaveLength(2);
  const other = await world.user();
  await uploadAndProcess(other, stepsOf(20, { more: 1000 }));
  expect(await readStoredScores(user)).toEqual(await readStoredScores(other));
});

test('a stalled writer writes nothing over its successor, and publishes nothing twice', async () => {
  const user = await world.user();
  await sendUpload(user, stepsOf(20));
  const { table } = world.localTable;
  let overtaken = false;
  const slow: Table = {
    ...table,
    async transact(all) {
      if (!overtaken && isEnd(all, user)) {
        overtaken = true;
        await uploadAndProcess(user, [['2026-01-20', 'steps', 30_000, 'count']]);
      }
      return table.transact(all);
    },
  };
  await runWriter(world.withTable(slow), user);
  expect(overtaken).toBe(true);
  const other = await createWalker(20);
  await uploadAndProcess(other, [['2026-01-20', 'steps', 30_000, 'count']]);
  expect(await readStoredScores(user)).toEqual(await readStoredScores(other));
  expect(await findEvents(user)).toHaveLength(1);
  expect(await findEvents(user, 'data.updated')).toHaveLength(1);
});

test('more days than fit in a pass are scored by the same run, and published once', async () => {
  const inMemory = await openDomainWorld();
  const user = await inMemory.user();
  await sendUpload(user, stepsOf(450, { year: 2024 }), inMemory);
  const ends: number[] = [];
  const { table } = inMemory.localTable;
  const watched: Table = {
    ...table,
    async transact(all) {
      await table.transact(all);
      const row = await userRows(inMemory.deps.store).findById(user);
      if (isEnd(all, user)) ends.push(row?.scores.days.length ?? -1);
    },
  };
  await runWriter(inMemory.withTable(watched), user);
  // Four transactions ahead and the end of the first pass, which leaves the rest; then one ahead
  // and the end of the second.
  expect(ends).toEqual([0, 0, 0, 0, 1, 1, 0]);
  expect(await findEvents(user, 'score.updated', inMemory)).toMatchObject([
    { more: { from_date: '2024-01-06', to_date: dates(450, 2024).at(-1) } },
  ]);
  expect(await findEvents(user, 'data.updated', inMemory)).toHaveLength(1);
  expect(inMemory.sent.filter(({ queue }) => queue === 'user')).toHaveLength(1);
});

test('an upload whose scores cannot be computed is processed and published, and its scores follow later', async () => {
  const user = await createWalker(20);
  const key = keys.canonicalDay(user, '2026-01-10');
  const item = { ...(await world.localTable.table.get(key)), ...key };
  await world.localTable.table.write({ kind: 'put', item: { ...item, v: Uint8Array.of(0xff) } });
  await uploadAndProcess(user, [['2026-01-20', 'steps', 30_000, 'count']]);
  expect(await pendingCommands(world.localTable.table, user)).toEqual([]);
  expect(await findEvents(user, 'data.updated')).toHaveLength(2);
  const days = await dayRows(world.deps.store).readCanonical(user, ['2026-01-20']);
  expect(decodeCanonicalDay(days.get('2026-01-20')?.packed ?? new Uint8Array()).get('steps')?.value).toBe(30_000);
  expect(await findEvents(user)).toHaveLength(1);
  expect(await listDueUsers()).toContain(user);
  await world.localTable.table.write({ kind: 'put', item });
  world.clock.advance(15 * 60_000);
  await runWriter(world.deps, user);
  const other = await createWalker(20);
  await uploadAndProcess(other, [['2026-01-20', 'steps', 30_000, 'count']]);
  expect(await readStoredScores(user)).toEqual(await readStoredScores(other));
  expect(await findEvents(user)).toMatchObject([{}, { more: { from_date: '2026-01-20', to_date: '2026-01-20' } }]);
});

test('an old day is scored without touching the days it does not reach', async () => {
  const user = await createWalker(120);
  const before = await readStoredScores(user);
  await sendUpload(user, [['2026-01-20', 'steps', 60_000, 'count']]);
  let read = 0;
  const { table } = world.localTable;
  const counting: Table = {
    ...table,
    async *queryAll(query) {
      for await (const item of table.queryAll(query)) {
        read++;
        yield item;
      }
    },
  };
  await runWriter(world.withTable(counting), user);
  expect(read).toBeLessThan(120);
  const changed = (await readStoredScores(user)).filter((row, i) => row[1] !== before[i]?.[1]).map(([date]) => date);
  expect(changed[0]).toBe('2026-01-20');
  expect(changed.at(-1)?.localeCompare('2026-02-24')).toBeLessThan(1);
});

test('a user without enough days is calibrating, and with enough days is ready', async () => {
  const user = await createWalker(5);
  const status = async () => {
    const row = await userRows(world.deps.store).findById(user);
    return row && presentUser(row, {}).score_status;
  };
  expect(await status()).toBe('calibrating');
  expect(await findEvents(user)).toEqual([]);
  await uploadAndProcess(user, stepsOf(9));
  expect(await status()).toBe('ready');
});

test('the reason why there is no score yet is stored, and is neither published nor taken for a score', async () => {
  const user = await createWalker(3);
  const calibrating = (days: number) => ['strain_score', { status: 'calibrating', days, needed: 5 }];
  const notes = async () => (await readStoredScores(user)).map(([date, text]) => [date, JSON.parse(text)[1][0]]);
  expect(await notes()).toEqual(dates(3).map((date, days) => [date, calibrating(days)]));
  // A day that arrives late advances the calibration of the others.
  await uploadAndProcess(user, [['2025-12-31', 'steps', 8000, 'count']]);
  expect(await notes()).toEqual(['2025-12-31', ...dates(3)].map((date, days) => [date, calibrating(days)]));
  expect(await findEvents(user)).toEqual([]);
  expect((await userRows(world.deps.store).findById(user))?.lastScoreMs).toBeNull();
  expect(await listDueUsers()).not.toContain(user);
});

test('a user whose last score is removed is calibrating again, though notes are left', async () => {
  const user = await createWalker(7);
  const scoredMs = async () => (await userRows(world.deps.store).findById(user))?.lastScoreMs;
  expect(await scoredMs()).not.toBeNull();
  await updateUser(world.deps, world.caller, user, { profile: { date_of_birth: '2015-01-01' } });
  await runWriter(world.deps, user);
  expect((await readStoredScores(user)).filter(isValued)).toEqual([]);
  expect((await readStoredScores(user)).length).toBe(7);
  expect(await scoredMs()).toBeNull();
  expect((await findEvents(user)).at(-1)).toMatchObject({
    more: { scores: ['strain_score'], from_date: '2026-01-06', to_date: '2026-01-07' },
  });
});

test('a day without a score leaves the scores of other days as they are, and the user ready', async () => {
  const user = await createWalker(20);
  await uploadAndProcess(user, [['2026-06-01', 'steps', 8000, 'count']]);
  expect((await userRows(world.deps.store).findById(user))?.lastScoreMs).not.toBeNull();
  expect((await readStoredScores(user)).filter(isValued)).toHaveLength(15);
  expect(await findEvents(user)).toHaveLength(1);
});

test('a lost message is found by the sweep', async () => {
  const user = await world.user();
  await sendUpload(user, stepsOf(9));
  world.sent.length = 0;
  world.clock.advance(61_000);
  await sweepWorker(world.deps)();
  expect(world.sent).toContainEqual({ queue: 'user', body: { user_id: user } });
});

test('nothing is scored for a user who is being deleted', async () => {
  const user = await world.user();
  await sendUpload(user, stepsOf(20));
  await deleteUser(world.deps, world.caller, user);
  await runWriter(world.deps, user);
  expect(await readStoredScores(user)).toEqual([]);
  expect(await findEvents(user)).toEqual([]);
});

test('a profile change requests scoring only for fields that scores depend on', async () => {
  const user = await world.user();
  await updateUser(world.deps, world.caller, user, { profile: { sex: 'female' } });
  expect(await listDueUsers()).not.toContain(user);
  for (const profile of [{ date_of_birth: '1990-05-17' }, { weight_kg: 70 }, { height_cm: 170 }]) {
    const another = await world.user();
    await updateUser(world.deps, world.caller, another, { profile });
    expect(await listDueUsers()).toContain(another);
  }
});
