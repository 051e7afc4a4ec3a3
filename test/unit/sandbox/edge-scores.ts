// The scores of the personas that show edge cases, whose data is ingested and scored like any
// other.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxPersona } from '../../../shared/catalog/sandbox.ts';
import { type ScoreId, scoreIds } from '../../../shared/catalog/score-ids.ts';
import { type CanonicalRow, unpackCanonicalRow } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { meanOf } from '../../../shared/platform/arithmetic.ts';
import { addDays, utcDay } from '../../../shared/platform/time/local-day.ts';
import { createScorer, type DayScores } from '../../../shared/scores/day-scores.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import { listDevices } from '../../../shared/users/devices.ts';
import type { Profile } from '../../../shared/users/profile.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { feedAll } from '../../harness/sandbox-feed.ts';

const hourMs = 3_600_000;
/** Creates `many` users of each persona, because a single one may pass by chance. */
export function testEdgeScores(many: number): void {
  let world: EngineDomainWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await openEngineDomainWorld();
    // Eight in the evening, so that today has a night, meals and steps at any time the tests run.
    world.clock.advance(24 * hourMs - ((world.clock.now() + 4 * hourMs) % (24 * hourMs)));
    caller = { ...world.caller, env: 'sandbox' };
  });
  afterAll(() => world.localTable.stop());

  interface Resident {
    id: string;
    profile: Profile;
  }
  async function feedUser(user: Resident): Promise<Resident> {
    await feedAll(world.deps, user.id);
    return user;
  }
  const make = (sandbox_persona: SandboxPersona): Promise<Resident> =>
    createUser(world.deps, caller, { profile: { sandbox_persona } });
  const createFedUser = async (persona: SandboxPersona): Promise<Resident> => feedUser(await make(persona));
  /** The users are only read, so that several tests can share them. */
  const residents = new Map<SandboxPersona, Promise<Resident[]>>();
  function usersOf(persona: SandboxPersona): Promise<Resident[]> {
    const found = residents.get(persona) ?? Promise.all(Array.from({ length: many }, () => createFedUser(persona)));
    residents.set(persona, found);
    return found;
  }

  /** Returns the scores of a day by its distance from today. */
  async function scoresOf({ id, profile }: Resident): Promise<(day: number) => DayScores> {
    const days = new Map<string, CanonicalRow>();
    for await (const { date, packed } of dayRows(world.deps.store).iterateCanonical(id, '0000-01-01', '9999-12-31'))
      days.set(date, unpackCanonicalRow(packed));
    const { scoreDay: on } = createScorer(days, profile);
    const today = utcDay(world.clock.now());
    return (day) => on(addDays(today, day));
  }
  const scoreOf = ({ scores }: DayScores, id: ScoreId): number => scores.get(id)?.value ?? Number.NaN;

  describe('ill', () => {
    test('recovery is low and stress high during the illness, and neither is before', async () => {
      for (const user of await usersOf('ill')) {
        const on = await scoresOf(user);
        const before = meanOf([-9, -8, -7, -6, -5, -4, -3].map((day) => scoreOf(on(day), 'recovery_score')));
        for (const day of [-2, -1, 0]) {
          const ill = on(day);
          expect([...ill.without]).toEqual([]);
          expect(scoreOf(ill, 'recovery_score')).toBeLessThan(35);
          expect(scoreOf(ill, 'recovery_score')).toBeLessThan(before - 15);
          expect(scoreOf(ill, 'stress_score')).toBeGreaterThan(60);
          expect(scoreOf(ill, 'strain_score')).toBeLessThan(30);
          expect(ill.scores.get('recovery_score')?.confidence).toBe('high');
        }
      }
    });
  });

  describe('device_swap', () => {
    test('recovery and stress are available with the ring, then calibrate with the watch, and never jump', async () => {
      for (const user of await usersOf('device_swap')) {
        const on = await scoresOf(user);
        for (const day of [-6, -5, -4]) expect([...on(day).without]).toEqual([]);
        for (const [day, days] of [-3, -2, -1, 0].entries()) {
          const { scores, without } = on(days);
          const calibrating = { status: 'calibrating', days: day, needed: 5 };
          expect([...scores.keys()].sort()).toEqual(['nutrition_score', 'sleep_score', 'strain_score']);
          expect(Object.fromEntries(without)).toEqual({
            recovery_score: calibrating,
            stress_score: calibrating,
            energy_reserve_score: calibrating,
          });
        }
      }
    });

    test('has a ring, a phone and a watch of another provider, while other personas have only the first two', async () => {
      const providers = async ({ id }: Resident) =>
        (await listDevices(world.deps, caller, id)).map(({ provider }) => provider).sort();
      for (const user of await usersOf('device_swap'))
        expect(await providers(user)).toEqual(['apple_health', 'garmin', 'oura']);
      for (const user of await usersOf('ill')) expect(await providers(user)).toEqual(['apple_health', 'oura']);
    });
  });

  describe('incomplete_log', () => {
    test('a day with only a snack or a breakfast has no nutrition score and a reason, a complete day has a score', async () => {
      for (const user of await usersOf('incomplete_log')) {
        const on = await scoresOf(user);
        const missing = { status: 'missing', reason: 'log_incomplete' };
        for (const day of [-7, -5, -4, -3, -1, 0]) expect(on(day).without.get('nutrition_score')).toEqual(missing);
        for (const day of [-6, -2]) expect(scoreOf(on(day), 'nutrition_score')).toBeGreaterThan(60);
      }
    });
  });

  describe('ages', () => {
    test('a child has only a sleep score on every day, because the other scores do not apply to children', async () => {
      for (const user of await usersOf('child')) {
        const on = await scoresOf(user);
        for (const day of [-7, -3, 0]) {
          const { scores, without } = on(day);
          expect([...scores.keys()]).toEqual(['sleep_score']);
          for (const id of scoreIds.filter((each) => each !== 'sleep_score'))
            expect(without.get(id)).toEqual({ status: 'not_applicable', reason: 'under_18' });
        }
      }
    });

    test('an older user has every score, and sleep is scored by age', async () => {
      for (const user of await usersOf('older')) {
        const on = await scoresOf(user);
        expect([...on(0).without]).toEqual([]);
        const asOlder = [-7, -6, -5, -4, -3, -2, -1].map((day) => scoreOf(on(day), 'sleep_score'));
        const asYoung = await scoresOf({ ...user, profile: {} });
        for (const [at, value] of asOlder.entries())
          expect(value).toBeGreaterThan(scoreOf(asYoung(at - 7), 'sleep_score'));
      }
    });

    test('the profile has a date of birth that fits the persona, unless the request sets one', async () => {
      const ageIn = (profile: Profile) =>
        (world.clock.now() - Date.parse(profile.date_of_birth ?? '')) / (365.25 * 24 * hourMs);
      expect(Math.abs(ageIn((await make('child')).profile) - 8.5)).toBeLessThan(0.1);
      expect(Math.abs(ageIn((await make('older')).profile) - 72.5)).toBeLessThan(0.1);
      const sent = { sandbox_persona: 'child', date_of_birth: '2012-02-29' } as const;
      expect((await createUser(world.deps, caller, { profile: sent })).profile).toEqual(sent);
      expect((await make('ill')).profile).toEqual({ sandbox_persona: 'ill' });
    });
  });

  // These tests advance the clock, so they run after the tests that share users.
  describe('new_user', () => {
    test('is calibrating with three of five days, and available two days later', async () => {
      const user = await createFedUser('new_user');
      const calibrating = { status: 'calibrating', days: 3, needed: 5 };
      const { scores, without } = (await scoresOf(user))(0);
      expect([...scores.keys()].sort()).toEqual(['nutrition_score', 'sleep_score']);
      expect(Object.fromEntries(without)).toEqual({
        recovery_score: calibrating,
        strain_score: calibrating,
        stress_score: calibrating,
        energy_reserve_score: calibrating,
      });
      for (let hours = 0; hours < 48; hours += 12) {
        world.clock.advance(12 * hourMs);
        await feedUser(user);
      }
      const later = (await scoresOf(user))(0);
      expect([...later.without]).toEqual([]);
      expect(later.scores.get('recovery_score')?.confidence).toBe('low');
    });
  });

  test('two days after a device swap, recovery is available again, compared with the watch alone', async () => {
    const user = await createFedUser('device_swap');
    for (let hours = 0; hours < 48; hours += 12) {
      world.clock.advance(12 * hourMs);
      await feedUser(user);
    }
    const recovery = (await scoresOf(user))(0).scores.get('recovery_score');
    expect(recovery?.confidence).toBe('low');
    const days = recovery?.factors.flatMap(({ name, days: each }) => (each === undefined ? [] : [[name, each]]));
    expect(days).toEqual([
      ['heart_rate_variability', 5],
      ['resting_heart_rate', 5],
      ['respiratory_rate', 5],
    ]);
  });
}
