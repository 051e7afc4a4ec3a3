// Deep and REM sleep make restorative sleep, told by nights or by samples of their stages.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { runWriter } from '../../harness/run-writer.ts';

let shop: EngineDomainWorld;
beforeAll(async () => {
  shop = await openEngineDomainWorld();
});
afterAll(() => shop.localTable.stop());

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
  shop.clock.advance(1_000);
  await shop.upload(user, 'apple_health', { time_zone: 'UTC', device: ring, ...records });
  await runWriter(shop.deps, user);
}
async function restorative(user: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for await (const { date, packed } of dayRows(shop.deps.store).iterateCanonical(user, '2000-01-01', '2030-01-01')) {
    const value = decodeCanonicalDay(packed).get('restorative_sleep')?.value;
    if (value !== undefined) found[date] = value;
  }
  return found;
}
async function restorativeOf(records: object): Promise<Record<string, number>> {
  const user = await shop.user({ timezone: 'UTC' });
  await send(user, records);
  return restorative(user);
}

test('both as samples, with or without a night around them, make it', async () => {
  expect(await restorativeOf({ samples: [deep, rem] })).toEqual({ '2026-03-10': 130 });
  expect(await restorativeOf({ samples: [deep, rem], sleep: [night] })).toEqual({ '2026-03-10': 130 });
});

test('one of the night and one of samples make it, and what the night tells of a stage comes first', async () => {
  const sleep = [{ ...night, deep_minutes: 80 }];
  expect(await restorativeOf({ samples: [rem], sleep })).toEqual({ '2026-03-10': 120 });
  expect(await restorativeOf({ samples: [deep, rem], sleep })).toEqual({ '2026-03-10': 120 });
});

test('only one of them makes none, and samples of restorative sleep itself come first', async () => {
  expect(await restorativeOf({ samples: [deep], sleep: [night] })).toEqual({});
  const own = stage('restorative_sleep', '01:00', '04:00', 125);
  expect(await restorativeOf({ samples: [deep, rem, own] })).toEqual({ '2026-03-10': 125 });
});

test('it follows its stages: one that comes later makes it, and a move of zone moves it with them', async () => {
  const user = await shop.user({ timezone: 'UTC' });
  await send(user, { samples: [deep] });
  expect(await restorative(user)).toEqual({});
  await send(user, { samples: [rem] });
  expect(await restorative(user)).toEqual({ '2026-03-10': 130 });
  await updateUser(shop.deps, shop.caller, user, { timezone: 'America/Los_Angeles' });
  await runWriter(shop.deps, user);
  shop.clock.advance(workerWriteDeadlineMs);
  await runWriter(shop.deps, user);
  expect(await restorative(user)).toEqual({ '2026-03-09': 130 });
});
