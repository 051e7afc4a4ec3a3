// The personas for edge cases of scores, as an integrator sees them over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { personaIds, type SandboxPersona } from '../../shared/catalog/sandbox.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
let account: NewAccount;
const hourMs = 3_600_000;

beforeAll(async () => {
  system = await startSystem();
  // 20:00, so that today has a night, meals and steps whenever the tests run.
  system.clock.advance(24 * hourMs - ((system.clock.now() + 4 * hourMs) % (24 * hourMs)));
  account = await system.account();
});
afterAll(() => system.stop());

const get = async (path: string) => {
  const result = await system.call('GET', path, { token: account.sandbox_key });
  expect([path, result.status]).toEqual([path, 200]);
  return result.body;
};
/** Returns a month of scores with the status of every day, oldest first. */
async function createPersonaUser(sandbox_persona: SandboxPersona) {
  const user = await system.user(account.sandbox_key, { profile: { sandbox_persona } });
  await system.host.drain();
  const { series, status, statuses } = await get(`/v1/users/${user}/scores?include_status=true`);
  const back = (score: string, days: number) => ({
    ...statuses[score].at(-1 - days),
    value: series[score].at(-1 - days),
  });
  return { user, status, back };
}
const calibratingStatus = (days: number) => ({ status: 'calibrating', days, needed: 5, value: null });

test('the OpenAPI document names and describes every persona', async () => {
  const { components } = (await system.call('GET', '/openapi.json')).body;
  expect(JSON.stringify(components.schemas.Profile.properties.sandbox_persona)).toContain('/SandboxPersona"');
  const text = JSON.stringify(components.schemas.SandboxPersona);
  for (const id of personaIds) {
    expect(text).toContain(`"${id}"`);
    expect(text).toContain(`\`${id}\``);
  }
});

describe('missing scores say what they lack', () => {
  test('new_user shows the days there are and the days needed', async () => {
    const { status, back } = await createPersonaUser('new_user');
    expect(back('recovery_score', 0)).toEqual(calibratingStatus(3));
    expect(back('stress_score', 0)).toEqual(calibratingStatus(3));
    expect(back('strain_score', 0)).toEqual(calibratingStatus(3));
    expect(status.sleep_score.status).toBe('ready');
    expect(back('sleep_score', 4)).toMatchObject({ status: 'missing', reason: 'no_data', value: null });
  });

  test('device_swap calibrates from the first day of the watch, and its recovery never jumps', async () => {
    const { user, back } = await createPersonaUser('device_swap');
    for (const days of [4, 5, 6]) expect(back('recovery_score', days)).toMatchObject({ status: 'ready' });
    for (const [at, days] of [3, 2, 1, 0].entries())
      expect(back('recovery_score', days)).toEqual(calibratingStatus(at));
    const { sources } = await get(
      `/v1/users/${user}/daily?types=sleep_heart_rate_variability,resting_heart_rate&include_sources=true`,
    );
    for (const result of Object.values<{ provider: string }[]>(sources))
      expect(result.slice(-6).map(({ provider }) => provider)).toEqual([
        ...['oura', 'oura'],
        ...['garmin', 'garmin', 'garmin', 'garmin'],
      ]);
  });

  test('incomplete_log has no nutrition score on a day with only a snack or a breakfast, and says why', async () => {
    const { back } = await createPersonaUser('incomplete_log');
    for (const days of [0, 1, 3])
      expect(back('nutrition_score', days)).toMatchObject({
        status: 'missing',
        reason: 'log_incomplete',
        inputs: ['dietary_energy'],
        value: null,
      });
    for (const days of [2, 6]) expect(back('nutrition_score', days).value).toBeGreaterThan(60);
  });

  test('child has a sleep score only, and a date of birth', async () => {
    const { user, back } = await createPersonaUser('child');
    expect(back('sleep_score', 0)).toMatchObject({ status: 'ready' });
    for (const id of ['recovery_score', 'strain_score', 'nutrition_score', 'stress_score'])
      expect(back(id, 0)).toEqual({ status: 'not_applicable', reason: 'under_18', value: null });
    const { profile } = await get(`/v1/users/${user}`);
    expect(profile.date_of_birth).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });
});

describe('available scores', () => {
  test('of ill have a low recovery and a high stress on the last three days', async () => {
    const { back } = await createPersonaUser('ill');
    for (const days of [0, 1, 2]) {
      expect(back('recovery_score', days).value).toBeLessThan(35);
      expect(back('stress_score', days).value).toBeGreaterThan(60);
    }
    expect(back('recovery_score', 9).value).toBeGreaterThan(35);
  });

  test('of older include all of them', async () => {
    const { status } = await createPersonaUser('older');
    for (const id of ['sleep_score', 'recovery_score', 'strain_score', 'nutrition_score', 'stress_score'])
      expect([id, status[id].status]).toEqual([id, expect.stringMatching(/^(ready|provisional)$/)]);
  });
});
