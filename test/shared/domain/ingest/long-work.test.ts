// Work that is more than one worker can do in its life is handed on, and ends as if one had done it all.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { consolidateDays } from '../../../../shared/domain/consolidation/touched-days.ts';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { type Subject, subjectOf } from '../../../../shared/domain/users/subject.ts';
import { updateUser } from '../../../../shared/domain/users/users.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import type { Table } from '../../../../shared/engine/ports.ts';
import { batchRows } from '../../../../shared/store/batches.ts';
import type { NormalizedItem } from '../../../../shared/store/days.ts';
import { keys } from '../../../../shared/store/keys.ts';
import { scoreRunRows } from '../../../../shared/store/score-runs.ts';
import { userRows } from '../../../../shared/store/users.ts';
import { saidOn, writeLate } from '../../../harness/late-writer.ts';
import { shownDaily } from '../../../harness/shown.ts';
import { rezoningOf } from '../../../harness/waiting.ts';
import { openWorkshopInMemory, type TableWorkshop } from '../../../harness/worker-deps.ts';
import { write } from '../../../harness/write-person.ts';

let shop: TableWorkshop;
beforeAll(async () => {
  shop = await openWorkshopInMemory();
});

const hourMs = 3600_000;
const dayMs = 24 * hourMs;
const firstDay = Date.UTC(2026, 0, 1);
const iso = (ms: number): string => new Date(ms).toISOString();
const days = Array.from({ length: 70 }, (_none, at) => firstDay + at * dayMs);
const steps = (startMs: number, endMs: number, value: number, more: object = {}): object => ({
  metric: 'steps',
  start: iso(startMs),
  end: iso(endMs),
  value,
  unit: 'count',
  ...more,
});

/** Both measure the last hour of every day; one of them calls it by the next day wherever it is. */
const watch = {
  device: { name: 'Watch', model: 'W1', type: 'wrist' },
  samples: days.map((ms) => steps(ms - dayMs / 48, ms, 100, { utc_offset: '+03:00' })),
};
const phone = {
  device: { name: 'Phone', model: 'P1', type: 'phone' },
  samples: days.map((ms, at) => steps(ms - dayMs / 24, ms, 1000 + 10 * at)),
};

async function walker(timezone: string, bodies: readonly object[] = [watch, phone]): Promise<string> {
  const user = await shop.user({ timezone });
  for (const body of bodies) {
    await shop.upload(user, 'apple_health', { time_zone: 'UTC', ...body });
    await write(shop.deps, user);
  }
  return user;
}

const asked = { from_date: '2025-12-30', to_date: '2026-03-14', include_sources: false };
async function daysOf(user: string): Promise<unknown> {
  const { text } = await shownDaily(shop.deps, shop.caller, user, asked);
  return JSON.parse(text).series.steps;
}

/** Each look at what devices said takes so long. */
function slow(takesMs: number): { table: Table; looks(): number } {
  let looks = 0;
  return {
    looks: () => looks,
    table: {
      ...shop.place.table,
      queryAll(query) {
        if (String(query.values['from']).startsWith('N#')) {
          looks++;
          shop.clock.advance(takesMs);
        }
        return shop.place.table.queryAll(query);
      },
    },
  };
}

/** Of nobody after the move. */
const firstDate = '2025-12-31';
/** What a worker writes that knew the day before the move. */
async function late(user: string, day: NormalizedItem): Promise<void> {
  await writeLate(shop, user, day);
  await consolidateDays(shop.deps, await subject(user), [day.date]);
}
async function subject(user: string): Promise<Subject> {
  const found = await subjectOf(shop.deps, user);
  if (!found) throw new Error('there is no user');
  return found;
}
const askedScores = (user: string) => scoreRunRows(shop.deps.store).asked(user, 9);
async function answerScores(user: string): Promise<void> {
  const { store } = shop.deps;
  await store.commit((await askedScores(user)).map((ask) => scoreRunRows(store).answering(user, ask)));
}
const progressOf = async (user: string) => (await rezoningOf(shop.deps, user))?.progress;

describe('a move', () => {
  let user: string;
  beforeEach(async () => {
    user = await walker('UTC');
    await updateUser(shop.deps, shop.caller, user, { timezone: 'Asia/Tokyo' });
  });

  test('that takes long is made in turns, each of which goes on where the last one stopped', async () => {
    await answerScores(user);
    const sent = shop.sent.length;
    const turns = [];
    for (let left = 20; left > 0; left--) {
      const { table, looks } = slow(16_000);
      await write(shop.over(table), user);
      turns.push(looks());
      if (!(await progressOf(user))) break;
    }
    expect(turns.length).toBeGreaterThan(2);
    expect(Math.max(...turns)).toBeLessThan(8);
    expect(shop.sent.slice(sent).filter(({ queue }) => queue === 'ingest').length).toBe(turns.length);
    expect((await rezoningOf(shop.deps, user))?.againMs).not.toBeNull();
    expect(await daysOf(user)).toEqual(await daysOf(await walker('Asia/Tokyo')));
    expect(await askedScores(user)).toMatchObject([{ from: firstDate, to: '2026-03-11' }]);
  });

  test('is handed on when whoever is woken for it finds it free', async () => {
    const free: boolean[] = [];
    const queue: Deps['queue'] = {
      ...shop.deps.queue,
      async send(name) {
        if (name === 'ingest') free.push(!(await shop.place.table.get(keys.ingestLease(user))));
      },
    };
    await write({ ...shop.over(slow(16_000).table), queue }, user);
    expect(await progressOf(user)).toBeTruthy();
    expect(free).toEqual([true]);
  });

  test('that left one day wrong asks for the scores of that day alone, on its second look', async () => {
    const before = await saidOn(shop, user, firstDate);
    await write(shop.deps, user);
    await answerScores(user);
    await late(user, before);
    shop.clock.advance(workerLifeMs);
    await write(shop.deps, user);
    expect(await askedScores(user)).toMatchObject([{ from: firstDate, to: firstDate }]);
  });

  test('begins anew when somebody has changed something between two turns', async () => {
    const { store } = shop.deps;
    const before = await saidOn(shop, user, firstDate);
    await write(shop.over(slow(16_000).table), user);
    expect(await progressOf(user)).toBeTruthy();
    await late(user, before);
    await store.commit([userRows(store).unsettling(user)]);
    await write(shop.deps, user);
    expect(await daysOf(user)).toEqual(await daysOf(await walker('Asia/Tokyo')));
  });

  test('takes in what came between two turns', async () => {
    await write(shop.over(slow(16_000).table), user);
    const stopped = await progressOf(user);
    expect(stopped).toBeTruthy();
    const more = { device: watch.device, samples: [steps(firstDay + dayMs / 2, firstDay + dayMs / 2, 7)] };
    await shop.upload(user, 'apple_health', { time_zone: 'UTC', ...more });
    await write(shop.deps, user);
    const other = await walker('Asia/Tokyo');
    await shop.upload(other, 'apple_health', { time_zone: 'UTC', ...more });
    await write(shop.deps, other);
    expect(await daysOf(user)).toEqual(await daysOf(other));
  });
});

/** The phone keeps calling these hours by the day before, in the end two days before the watch does. */
test('a move makes the last days of a stretch again once those two days on are made', async () => {
  const noons = days.map((ms) => ms + dayMs / 2);
  const bodies = [
    { ...watch, samples: noons.map((ms) => steps(ms - dayMs / 24, ms, 100)) },
    { ...phone, samples: noons.map((ms) => steps(ms - dayMs / 24, ms, 1000, { utc_offset: '-12:00' })) },
  ];
  const kiritimati = 'Pacific/Kiritimati';
  const user = await walker('UTC', bodies);
  await updateUser(shop.deps, shop.caller, user, { timezone: kiritimati });
  await write(shop.deps, user);
  expect(await daysOf(user)).toEqual(await daysOf(await walker(kiritimati, bodies)));
});

/** The stretch that begins a day before these samples ends with the last of them. */
test.each([
  ['the last', 'Asia/Tokyo', 23],
  ['the first', 'America/Los_Angeles', 1],
])('a move reaches beyond %s day that anybody spoke of', async (_which, zone, hour) => {
  const samples = days.slice(0, 14).map((ms) => steps(ms + hour * hourMs, ms + hour * hourMs, 7));
  const bodies = [{ ...watch, samples }];
  const user = await walker('UTC', bodies);
  await updateUser(shop.deps, shop.caller, user, { timezone: zone });
  await write(shop.deps, user);
  expect(await daysOf(user)).toEqual(await daysOf(await walker(zone, bodies)));
});

test('a worker begins nothing more when its time is nearly up, and wakes the next one', async () => {
  const user = await shop.user();
  for (const body of [watch, phone]) await shop.upload(user, 'apple_health', { time_zone: 'UTC', ...body });
  const sent = shop.sent.length;
  await write(shop.over(slow(50_000).table), user);
  expect(await batchRows(shop.deps.store).waiting(user, 9)).toHaveLength(1);
  expect(shop.sent.slice(sent)).toContainEqual({ queue: 'ingest', body: { user_id: user } });
  expect(await rezoningOf(shop.deps, user)).toBeUndefined();
  await write(shop.deps, user);
  expect(await batchRows(shop.deps.store).waiting(user, 9)).toEqual([]);
});
