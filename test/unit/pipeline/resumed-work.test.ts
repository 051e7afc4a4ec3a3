// Work that is more than one run can do is continued by the next run, and ends as if one run had
// done it all.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { userWorker } from '../../../functions/workers/write-user.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { type DomainWorld, openDomainWorld } from '../../harness/domain-world.ts';
import { readForm2Daily } from '../../harness/form-2-reads.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { runWriter, runWriterUntilIdle } from '../../harness/run-writer.ts';

let world: DomainWorld;
beforeAll(async () => {
  world = await openDomainWorld();
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

/**
 * Both measure the last hour of every day; the offset of the watch puts it on the next day in any
 * profile zone.
 */
const watch = {
  device: { name: 'Watch', model: 'W1', type: 'wrist' },
  samples: days.map((ms) => steps(ms - dayMs / 48, ms, 100, { utc_offset: '+03:00' })),
};
const phone = {
  device: { name: 'Phone', model: 'P1', type: 'phone' },
  samples: days.map((ms, at) => steps(ms - dayMs / 24, ms, 1000 + 10 * at)),
};

async function createWalker(timezone: string, bodies: readonly object[] = [watch, phone]): Promise<string> {
  const user = await world.user({ timezone, day_rule: 'recorded' });
  for (const body of bodies) {
    await world.upload(user, 'apple_health', { time_zone: 'UTC', ...body });
    await runWriter(world.deps, user);
  }
  return user;
}

const range = { from_date: '2025-12-30', to_date: '2026-03-14', include_sources: false };
async function daysOf(user: string): Promise<unknown> {
  const { text } = await readForm2Daily(world.deps, world.caller, user, range);
  return JSON.parse(text).series.steps;
}

/** A table on which each read of normalized days takes `takesMs`. */
function slow(takesMs: number): { table: Table; looks(): number } {
  let looks = 0;
  return {
    looks: () => looks,
    table: {
      ...world.localTable.table,
      queryAll(query) {
        if (String(query.values['from']).startsWith('N#')) {
          looks++;
          world.clock.advance(takesMs);
        }
        return world.localTable.table.queryAll(query);
      },
    },
  };
}

const moveOf = async (user: string) =>
  (await pendingCommands(world.localTable.table, user)).find((command) => command.kind === 'recount');
/** Delivers one message with the token of the recount; each read takes `takesMs`. */
async function turn(user: string, takesMs: number): Promise<number> {
  const { table, looks } = slow(takesMs);
  const token = (await moveOf(user))?.id;
  await userWorker(world.withTable(table))({ user_id: user, ...(token ? { token } : {}) }, { receives: 1 });
  return looks();
}

describe('a time-zone change', () => {
  let user: string;
  beforeEach(async () => {
    user = await createWalker('UTC');
    await updateUser(world.deps, world.caller, user, { timezone: 'Asia/Tokyo' });
  });

  test('that takes long is processed in turns, each of which continues where the last one stopped', async () => {
    const [sent, before] = [world.sent.length, (await world.events()).length];
    const turns = [];
    const through = [];
    for (let left = 20; left > 0; left--) {
      turns.push(await turn(user, 6_000));
      const move = await moveOf(user);
      if (!move) break;
      through.push(move.cursor?.through);
    }
    expect(turns.length).toBeGreaterThan(2);
    expect(Math.max(...turns)).toBeLessThan(8);
    expect(through).toEqual([...new Set(through)].sort());
    const tokens = world.sent.slice(sent).filter(({ body }) => 'token' in Object(body));
    expect(tokens).toHaveLength(turns.length - 1);
    expect(await daysOf(user)).toEqual(await daysOf(await createWalker('Asia/Tokyo')));
    const events = (await world.events()).slice(before).filter((event) => event['user'] === user);
    expect(events.map(({ type }) => type)).toEqual(['subject.synced', 'score.updated']);
    expect(events[0]?.['more']).toEqual({ from_date: '2025-12-31', to_date: '2026-03-11' });
    expect(events[1]?.['more']).toMatchObject({ from_date: '2026-01-05', to_date: '2026-03-11' });
  });

  test('to yet another zone between two turns starts over, and its event covers everything', async () => {
    const before = (await world.events()).length;
    await turn(user, 6_000);
    expect((await moveOf(user))?.cursor).toBeTruthy();
    await updateUser(world.deps, world.caller, user, { timezone: 'UTC' });
    expect((await moveOf(user))?.cursor).toBeUndefined();
    await runWriter(world.deps, user);
    expect(await daysOf(user)).toEqual(await daysOf(await createWalker('UTC')));
    const events = (await world.events()).slice(before).filter((event) => event['user'] === user);
    expect(events[0]).toMatchObject({ type: 'subject.synced', metrics: ['steps'], more: { from_date: '2025-12-31' } });
  });

  test('includes what arrives between two turns', async () => {
    await turn(user, 6_000);
    expect((await moveOf(user))?.cursor).toBeTruthy();
    const more = { device: watch.device, samples: [steps(firstDay + dayMs / 2, firstDay + dayMs / 2, 7)] };
    await world.upload(user, 'apple_health', { time_zone: 'UTC', ...more });
    await runWriterUntilIdle(world.deps, user);
    const other = await createWalker('Asia/Tokyo');
    await world.upload(other, 'apple_health', { time_zone: 'UTC', ...more });
    await runWriter(world.deps, other);
    expect(await daysOf(user)).toEqual(await daysOf(other));
  });
});

/**
 * The phone's offset puts these hours on the day before, in the end two days before the watch does.
 */
test('a time-zone change rebuilds the last days of a chunk once the two days after it are built', async () => {
  const noons = days.map((ms) => ms + dayMs / 2);
  const bodies = [
    { ...watch, samples: noons.map((ms) => steps(ms - dayMs / 24, ms, 100)) },
    { ...phone, samples: noons.map((ms) => steps(ms - dayMs / 24, ms, 1000, { utc_offset: '-12:00' })) },
  ];
  const kiritimati = 'Pacific/Kiritimati';
  const user = await createWalker('UTC', bodies);
  await updateUser(world.deps, world.caller, user, { timezone: kiritimati });
  await runWriter(world.deps, user);
  expect(await daysOf(user)).toEqual(await daysOf(await createWalker(kiritimati, bodies)));
});

/** The chunk of days that begins a day before these samples ends with the last of them. */
test.each([
  ['the last', 'Asia/Tokyo', 23],
  ['the first', 'America/Los_Angeles', 1],
])('a time-zone change reaches beyond %s day with data', async (_which, zone, hour) => {
  const samples = days.slice(0, 14).map((ms) => steps(ms + hour * hourMs, ms + hour * hourMs, 7));
  const bodies = [{ ...watch, samples }];
  const user = await createWalker('UTC', bodies);
  await updateUser(world.deps, world.caller, user, { timezone: zone });
  await runWriter(world.deps, user);
  expect(await daysOf(user)).toEqual(await daysOf(await createWalker(zone, bodies)));
});

test('a run starts no short command once its time is over, and wakes the next run', async () => {
  const user = await world.user();
  for (const body of [watch, phone]) await world.upload(user, 'apple_health', { time_zone: 'UTC', ...body });
  const sent = world.sent.length;
  await runWriter(world.withTable(slow(11_000).table), user);
  expect(await pendingCommands(world.localTable.table, user)).toHaveLength(1);
  expect(world.sent.slice(sent)).toEqual([{ queue: 'user', body: { user_id: user } }]);
  await runWriter(world.deps, user);
  expect(await pendingCommands(world.localTable.table, user)).toEqual([]);
});
