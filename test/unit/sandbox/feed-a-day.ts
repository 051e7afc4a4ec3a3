// Feeds a sandbox user for a day and an hour, in steps of the given hours.
import { expect } from 'vitest';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import { wakeDue } from '../../../shared/system/wake-pending.ts';
import { createUser } from '../../../shared/users/users.ts';
import type { EngineDomainWorld } from '../../harness/domain-world.ts';
import { feedAll } from '../../harness/sandbox-feed.ts';

export const hourMs = 3_600_000;

/** Moves the clock to noon, so that today is well in progress at any time the tests run. */
export const moveToNoon = ({ clock }: EngineDomainWorld): void =>
  clock.advance(24 * hourMs - ((clock.now() + 12 * hourMs) % (24 * hourMs)));

export async function daysOf({ deps }: EngineDomainWorld, user: string): Promise<Map<string, Record<string, number>>> {
  const found = new Map<string, Record<string, number>>();
  for await (const { date, packed } of dayRows(deps.store).iterateCanonical(user, '0000-01-01', '9999-12-31'))
    found.set(date, Object.fromEntries([...decodeCanonicalDay(packed)].map(([id, { value }]) => [id, value])));
  return found;
}

export const sentFor = ({ sent }: EngineDomainWorld, user: string, queue: string): number =>
  sent.filter((each) => each.queue === queue && JSON.stringify(each.body).includes(user)).length;

export async function feedADay(world: EngineDomainWorld, caller: Caller, steps: readonly number[]): Promise<void> {
  const { id: user } = await createUser(world.deps, caller, {});
  await feedAll(world.deps, user);
  const first = await daysOf(world, user);
  await wakeDue(world.deps, 'sandbox');
  expect(sentFor(world, user, 'seed')).toBe(1);
  await feedAll(world.deps, user);
  expect(await daysOf(world, user)).toEqual(first);

  const today = [...first.keys()].at(-1) ?? '';
  expect(steps.reduce((sum, hours) => sum + hours, 0)).toBe(25);
  for (const hours of steps) {
    world.clock.advance(hours * hourMs);
    await feedAll(world.deps, user);
  }
  await wakeDue(world.deps, 'sandbox');
  expect(sentFor(world, user, 'seed')).toBe(1);
  world.clock.advance(hourMs);
  await wakeDue(world.deps, 'sandbox');
  expect(sentFor(world, user, 'seed')).toBe(2);
  const now = await daysOf(world, user);
  expect(now.size).toBe(9);
  const dayValues = now.get(today);
  expect(dayValues?.['resting_energy']).toBeGreaterThan(1_000);
  expect(dayValues?.['total_calories']).toBe(
    (dayValues?.['resting_energy'] ?? 0) + (dayValues?.['active_calories'] ?? 0),
  );
  expect(dayValues?.['dietary_energy']).toBeGreaterThan(1_000);
}
