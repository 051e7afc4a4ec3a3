import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteUser } from '../../../../shared/domain/erasure/delete-user.ts';
import { presentUser, updateUser } from '../../../../shared/domain/users/users.ts';
import { sweep } from '../../../../shared/domain/work/sweep.ts';
import type { Table } from '../../../../shared/engine/ports.ts';
import { scoringGeneration } from '../../../../shared/model/score-table.ts';
import { scoreRunRows } from '../../../../shared/store/score-runs.ts';
import { asOf, scoreRows } from '../../../../shared/store/scores.ts';
import { userRows } from '../../../../shared/store/users.ts';
import { owedTo } from '../../../harness/owed.ts';
import { openWorkshop, type Workshop } from '../../../harness/worker-deps.ts';
import { write } from '../../../harness/write-person.ts';

const minute = 60_000;
const leaseMs = 91_000;
let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.place.stop());

const dates = (count: number) =>
  Array.from({ length: count }, (_none, i) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10));

async function uploaded(user: string, daily: [date: string, metric: string, value: number, unit: string][]) {
  await shop.upload(user, 'apple_health', {
    time_zone: 'UTC',
    device: { name: 'Watch', model: 'Watch7,1', type: 'wrist' },
    daily: daily.map(([date, metric, value, unit]) => ({ date, metric, value, unit })),
  });
  await write(shop.deps, user);
}

const stepsOf = (count: number) =>
  dates(count).map((date, i): [string, string, number, string] => [
    date,
    'steps',
    8000 + ((i * 37) % 11) * 200,
    'count',
  ]);

async function walker(count: number): Promise<string> {
  const user = await shop.user();
  await uploaded(user, stepsOf(count));
  return user;
}

async function stored(user: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const row of scoreRows(shop.deps.store).between(user, '0000', '9999', { consistent: true })) {
    const { scores, without } = asOf(row, scoringGeneration) ?? {};
    found.push([row.date, JSON.stringify([[...(scores ?? [])], [...(without ?? [])]])]);
  }
  return found;
}
const isValued = ([, text]: [string, string]) => text.includes('"value"');
const told = async (user: string) =>
  (await shop.events()).filter((event) => event['type'] === 'score.updated' && event['user'] === user);
const due = () => owedTo(shop.deps.store, 'score');

/** Lets so many writes through and is dead from then on. */
function dyingAfter(writes: number): { table: Table; died: () => boolean } {
  let left = writes;
  let died = false;
  const guarded = async <T>(go: () => Promise<T>): Promise<T> => {
    if (left-- <= 0) {
      died = true;
      throw new Error('killed');
    }
    return go();
  };
  const { table } = shop.place;
  return {
    table: {
      ...table,
      write: (write) => guarded(() => table.write(write)),
      transact: (all) => guarded(() => table.transact(all)),
    },
    died: () => died,
  };
}

test('what is due is scored, told and no longer due', async () => {
  const user = await walker(30);
  expect(await due()).toContain(user);
  await write(shop.deps, user);
  expect((await stored(user)).filter(isValued).map(([date]) => date)).toEqual(dates(30).slice(5));
  expect(await told(user)).toMatchObject([
    { more: { scores: ['strain_score'], from_date: '2026-01-06', to_date: '2026-01-30' } },
  ]);
  expect(await due()).not.toContain(user);
});

test('the same message again, and eight at once, change nothing and tell nothing', async () => {
  const user = await walker(20);
  await Promise.all(Array.from({ length: 8 }, () => write(shop.over(shop.place.table), user)));
  const before = await stored(user);
  expect(before.filter(isValued)).toHaveLength(15);
  shop.clock.advance(minute);
  await write(shop.deps, user);
  expect(await stored(user)).toEqual(before);
  expect(await told(user)).toHaveLength(1);
});

test('within a minute of the last run nothing is computed, and a later message is sent', async () => {
  const user = await walker(20);
  await write(shop.deps, user);
  await uploaded(user, [['2026-01-20', 'steps', 30_000, 'count']]);
  const before = await stored(user);
  shop.sent.length = 0;
  await write(shop.deps, user);
  expect(await stored(user)).toEqual(before);
  expect(shop.sent).toEqual([{ queue: 'score', body: { user_id: user } }]);
  shop.clock.advance(minute);
  await write(shop.deps, user);
  expect((await stored(user)).filter((row, i) => row[1] !== before[i]?.[1]).map(([date]) => date)).toEqual([
    '2026-01-20',
  ]);
});

test('a worker killed at any write is made good by the next, with the whole story told once', async () => {
  const clean = await walker(40);
  await write(shop.deps, clean);
  const right = await stored(clean);
  for (let writes = 0; ; writes++) {
    const user = await walker(40);
    const dying = dyingAfter(writes);
    await write(shop.over(dying.table), user).catch(() => {});
    if (!dying.died()) break;
    shop.clock.advance(leaseMs);
    await write(shop.deps, user);
    expect(await stored(user)).toEqual(right);
    expect(await told(user)).toMatchObject([
      { more: { scores: ['strain_score'], from_date: '2026-01-06', to_date: '2026-02-09' } },
    ]);
    expect(await due()).not.toContain(user);
    expect(writes).toBeLessThan(20);
  }
});

test('a change that comes while scores are computed stays due and is scored next', async () => {
  const user = await walker(20);
  let disturbed = false;
  const { table } = shop.place;
  const meanwhile: Table = {
    ...table,
    async transact(all) {
      const finishing = all.some((write) => write.kind === 'delete' && write.key.sk.startsWith('A#'));
      if (finishing && !disturbed) {
        disturbed = true;
        await uploaded(
          user,
          stepsOf(20).map(([date, metric, value, unit]) => [date, metric, value + 1000, unit]),
        );
      }
      return table.transact(all);
    },
  };
  await write(shop.over(meanwhile), user);
  expect(disturbed).toBe(true);
  expect(await due()).toContain(user);
  expect(await told(user)).toHaveLength(1);
  const after = await walker(0);
  await uploaded(
    after,
    stepsOf(20).map(([date, metric, value, unit]) => [date, metric, value + 1000, unit]),
  );
  shop.clock.advance(minute);
  await Promise.all([user, after].map((each) => write(shop.deps, each)));
  expect(await stored(user)).toEqual(await stored(after));
  expect(await due()).not.toContain(user);
});

test('a slow worker that lost its lease writes nothing over its successor', async () => {
  const user = await walker(20);
  const { table } = shop.place;
  let overtaken = false;
  const slow: Table = {
    ...table,
    async transact(all) {
      if (!overtaken && all.some((write) => write.kind === 'put' && write.item.sk.startsWith('S#'))) {
        overtaken = true;
        shop.clock.advance(leaseMs);
        await uploaded(user, [['2026-01-20', 'steps', 30_000, 'count']]);
        await write(shop.deps, user);
      }
      return table.transact(all);
    },
  };
  await write(shop.over(slow), user);
  expect(overtaken).toBe(true);
  const other = await walker(20);
  await uploaded(other, [['2026-01-20', 'steps', 30_000, 'count']]);
  await write(shop.deps, other);
  expect(await stored(user)).toEqual(await stored(other));
  expect(await told(user)).toHaveLength(1);
});

test('a day a year ago is scored without touching the days it does not reach', async () => {
  const user = await walker(120);
  await write(shop.deps, user);
  const before = await stored(user);
  await uploaded(user, [['2026-01-20', 'steps', 60_000, 'count']]);
  shop.clock.advance(minute);
  let read = 0;
  const { table } = shop.place;
  const counting: Table = {
    ...table,
    async *queryAll(query) {
      for await (const item of table.queryAll(query)) {
        read++;
        yield item;
      }
    },
  };
  await write(shop.over(counting), user);
  expect(read).toBeLessThan(120);
  const changed = (await stored(user)).filter((row, i) => row[1] !== before[i]?.[1]).map(([date]) => date);
  expect(changed[0]).toBe('2026-01-20');
  expect(changed.at(-1)?.localeCompare('2026-02-24')).toBeLessThan(1);
});

test('without enough days the user stays calibrating; with them it is ready', async () => {
  const user = await walker(5);
  await write(shop.deps, user);
  const status = async () => {
    const row = await userRows(shop.deps.store).byId(user);
    return row && presentUser(row).score_status;
  };
  expect(await status()).toBe('calibrating');
  expect(await told(user)).toEqual([]);
  await uploaded(user, stepsOf(9));
  shop.clock.advance(minute);
  await write(shop.deps, user);
  expect(await status()).toBe('ready');
});

test('why there is no score yet is stored, and is neither told nor taken for one', async () => {
  const user = await walker(3);
  await write(shop.deps, user);
  const calibrating = (days: number) => ['strain_score', { status: 'calibrating', days, needed: 5 }];
  const notes = async () => (await stored(user)).map(([date, text]) => [date, JSON.parse(text)[1][0]]);
  expect(await notes()).toEqual(dates(3).map((date, days) => [date, calibrating(days)]));
  // A day that came late moves the others' calibration on.
  await uploaded(user, [['2025-12-31', 'steps', 8000, 'count']]);
  shop.clock.advance(minute);
  await write(shop.deps, user);
  expect(await notes()).toEqual(['2025-12-31', ...dates(3)].map((date, days) => [date, calibrating(days)]));
  expect(await told(user)).toEqual([]);
  expect((await userRows(shop.deps.store).byId(user))?.lastScoreMs).toBeNull();
  expect(await due()).not.toContain(user);
});

test('whose last value goes is calibrating again, though notes are left', async () => {
  const user = await walker(7);
  await write(shop.deps, user);
  const scoredMs = async () => (await userRows(shop.deps.store).byId(user))?.lastScoreMs;
  expect(await scoredMs()).not.toBeNull();
  await updateUser(shop.deps, shop.caller, user, { profile: { date_of_birth: '2015-01-01' } });
  shop.clock.advance(minute);
  await write(shop.deps, user);
  expect((await stored(user)).filter(isValued)).toEqual([]);
  expect((await stored(user)).length).toBe(7);
  expect(await scoredMs()).toBeNull();
  expect((await told(user)).at(-1)).toMatchObject({
    more: { scores: ['strain_score'], from_date: '2026-01-06', to_date: '2026-01-07' },
  });
});

test('a day without a value leaves the scores of others as they are, and the user ready', async () => {
  const user = await walker(20);
  await write(shop.deps, user);
  await uploaded(user, [['2026-06-01', 'steps', 8000, 'count']]);
  shop.clock.advance(minute);
  await write(shop.deps, user);
  expect((await userRows(shop.deps.store).byId(user))?.lastScoreMs).not.toBeNull();
  expect((await stored(user)).filter(isValued)).toHaveLength(15);
  expect(await told(user)).toHaveLength(1);
});

test('a message that was lost is found by the sweep', async () => {
  const user = await walker(9);
  shop.sent.length = 0;
  shop.clock.advance(61_000);
  await sweep(shop.deps);
  expect(shop.sent).toContainEqual({ queue: 'score', body: { user_id: user } });
});

test('nothing is written for a user that is being deleted', async () => {
  const user = await walker(20);
  await deleteUser(shop.deps, shop.caller, user);
  await write(shop.deps, user);
  expect(await stored(user)).toEqual([]);
  expect(await scoreRunRows(shop.deps.store).run(user)).toBeUndefined();
});

test('only what scores are made with asks for them when a profile changes', async () => {
  const user = await shop.user();
  await updateUser(shop.deps, shop.caller, user, { profile: { sex: 'female' } });
  expect(await due()).not.toContain(user);
  for (const profile of [{ date_of_birth: '1990-05-17' }, { weight_kg: 70 }, { height_cm: 170 }]) {
    const another = await shop.user();
    await updateUser(shop.deps, shop.caller, another, { profile });
    expect(await due()).toContain(another);
  }
});
