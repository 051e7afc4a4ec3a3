// Deep and REM sleep add up to restorative sleep, reported by nights or by samples of their stages.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { runWriter } from '../../harness/run-writer.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const ring = { name: 'Ring', model: 'R1', type: 'ring' };
const stage = (metric: string, from: string, to: string, value: number, unit = 'min') => ({
  metric,
  start: `2026-03-10T${from}:00Z`,
  end: `2026-03-10T${to}:00Z`,
  value,
  unit,
});
const deep = stage('deep_sleep', '01:00', '02:30', 1.5, 'h');
const rem = stage('rem_sleep', '03:00', '03:40', 40);
const night = { start: '2026-03-09T23:00:00Z', end: '2026-03-10T06:30:00Z', asleep_minutes: 420 };

async function send(user: string, records: object): Promise<void> {
  world.clock.advance(1_000);
  await world.upload(user, 'apple_health', { time_zone: 'UTC', device: ring, ...records });
  await runWriter(world.deps, user);
}
async function restorative(user: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for await (const { date, packed } of dayRows(world.deps.store).iterateCanonical(user, '2000-01-01', '2030-01-01')) {
    const value = decodeCanonicalDay(packed).get('restorative_sleep')?.value;
    if (value !== undefined) found[date] = value;
  }
  return found;
}
async function restorativeOf(records: object): Promise<Record<string, number>> {
  const user = await world.user({ timezone: 'UTC' });
  await send(user, records);
  return restorative(user);
}

test('samples of both stages make restorative sleep, with or without a night around them', async () => {
  expect(await restorativeOf({ samples: [deep, rem] })).toEqual({ '2026-03-10': 130 });
  expect(await restorativeOf({ samples: [deep, rem], sleep: [night] })).toEqual({ '2026-03-10': 130 });
});

test("one stage of the night and samples of the other make it, and the night's stages take precedence", async () => {
  const sleep = [{ ...night, deep_minutes: 80 }];
  expect(await restorativeOf({ samples: [rem], sleep })).toEqual({ '2026-03-10': 120 });
  expect(await restorativeOf({ samples: [deep, rem], sleep })).toEqual({ '2026-03-10': 120 });
});

test('one stage alone makes none, and samples of restorative sleep itself count without both stages', async () => {
  expect(await restorativeOf({ samples: [deep], sleep: [night] })).toEqual({});
  const own = stage('restorative_sleep', '01:00', '04:00', 125);
  expect(await restorativeOf({ samples: [deep, own] })).toEqual({ '2026-03-10': 125 });
  expect(await restorativeOf({ samples: [deep, rem, own] })).toEqual({ '2026-03-10': 130 });
});

test('restorative sleep follows its stages when one arrives later and when the time zone changes', async () => {
  const user = await world.user({ timezone: 'UTC' });
  await send(user, { samples: [deep] });
  expect(await restorative(user)).toEqual({});
  await send(user, { samples: [rem] });
  expect(await restorative(user)).toEqual({ '2026-03-10': 130 });
  await updateUser(world.deps, world.caller, user, { timezone: 'America/Los_Angeles' });
  await runWriter(world.deps, user);
  world.clock.advance(workerWriteDeadlineMs);
  await runWriter(world.deps, user);
  expect(await restorative(user)).toEqual({ '2026-03-09': 130 });
});
