// Work that is more than one worker can do in its life is handed on, and ends as if one had done it all.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ingestUser } from '../../../shared/domain/ingest/ingest-user.ts';
import { readDaily } from '../../../shared/domain/reads/daily.ts';
import { subjectOf } from '../../../shared/domain/subject.ts';
import { updateUser } from '../../../shared/domain/users.ts';
import type { Table } from '../../../shared/engine/ports.ts';
import { openWorkshop, type Workshop } from '../../harness/worker-deps.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.place.stop());

const dayMs = 24 * 3600_000;
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
  samples: days.map((ms, at) => steps(ms - dayMs / 24, ms, 1000 + at)),
};

async function walker(timezone: string): Promise<string> {
  const user = await shop.user({ timezone });
  for (const body of [watch, phone]) {
    await shop.upload(user, 'apple_health', { time_zone: 'UTC', ...body });
    await ingestUser(shop.deps, user);
  }
  return user;
}

const asked = { from_date: '2025-12-30', to_date: '2026-03-14', include_sources: false };
async function daysOf(user: string): Promise<unknown> {
  const { text } = await readDaily(shop.deps, shop.caller, user, asked);
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

const progressOf = async (user: string) => (await subjectOf(shop.deps, user))?.rezoning?.progress;

describe('a move', () => {
  let user: string;
  beforeEach(async () => {
    user = await walker('UTC');
    await updateUser(shop.deps, shop.caller, user, { timezone: 'Asia/Tokyo' });
  });

  test('that takes long is made in turns, each of which goes on where the last one stopped', async () => {
    const sent = shop.sent.length;
    const turns = [];
    for (let left = 20; left > 0; left--) {
      const { table, looks } = slow(16_000);
      await ingestUser(shop.over(table), user);
      turns.push(looks());
      if (!(await progressOf(user))) break;
    }
    expect(turns.length).toBeGreaterThan(2);
    expect(Math.max(...turns)).toBeLessThan(8);
    expect(shop.sent.slice(sent).filter(({ queue }) => queue === 'ingest').length).toBe(turns.length);
    expect((await subjectOf(shop.deps, user))?.rezoning?.againMs).not.toBeNull();
    expect(await daysOf(user)).toEqual(await daysOf(await walker('Asia/Tokyo')));
  });

  test('begins anew when something has changed between two turns', async () => {
    await ingestUser(shop.over(slow(16_000).table), user);
    const stopped = await progressOf(user);
    expect(stopped).toBeTruthy();
    const more = { device: watch.device, samples: [steps(firstDay + dayMs / 2, firstDay + dayMs / 2, 7)] };
    await shop.upload(user, 'apple_health', { time_zone: 'UTC', ...more });
    await ingestUser(shop.deps, user);
    const other = await walker('Asia/Tokyo');
    await shop.upload(other, 'apple_health', { time_zone: 'UTC', ...more });
    await ingestUser(shop.deps, other);
    expect(await daysOf(user)).toEqual(await daysOf(other));
  });
});

test('a worker begins nothing more when its time is nearly up, and wakes the next one', async () => {
  const user = await shop.user();
  for (const body of [watch, phone]) await shop.upload(user, 'apple_health', { time_zone: 'UTC', ...body });
  const sent = shop.sent.length;
  await ingestUser(shop.over(slow(50_000).table), user);
  expect(await shop.deps.store.batches.waiting(user, 9)).toHaveLength(1);
  expect(shop.sent.slice(sent)).toContainEqual({ queue: 'ingest', body: { user_id: user } });
  await ingestUser(shop.deps, user);
  expect(await shop.deps.store.batches.waiting(user, 9)).toEqual([]);
});
