import { describe, expect, test } from 'vitest';
import { personaIds } from '../../../../shared/catalog/sandbox.ts';
import { addDays } from '../../../../shared/platform/time/local-day.ts';
import { buildBaseline, buildBaselineDay } from '../../../../shared/sandbox/life/baseline.ts';
import { buildSandboxDay } from '../../../../shared/sandbox/life/sandbox-day.ts';
import { makeId } from '../../../../shared/system/ids.ts';

const first = '2026-03-10';
const userId = makeId('user', Date.UTC(2026, 2, 17), new Uint8Array(10).fill(7));
const calibrating = ['sparse', 'new_user', 'ill', 'device_swap', 'child', 'empty'];

describe('the baseline of a sandbox user', () => {
  test.each(personaIds)('of %s is made of the weeks before, or empty if scores have to calibrate', (persona) => {
    const life = { userId, persona, timezone: 'Europe/London' };
    const days = buildBaseline(life, first, 35);
    if (calibrating.includes(persona)) return expect(days.size).toBe(0);
    expect([...days.keys()]).toEqual(Array.from({ length: 35 }, (_none, at) => addDays(first, at - 35)));
    expect(buildBaseline(life, first, 35)).toEqual(days);
  });

  test.each(personaIds.filter((id) => !calibrating.includes(id)))(
    'of %s has the same values for a day as its devices',
    (persona) => {
      for (let back = 1; back <= 7; back++) {
        const life = { userId, persona, timezone: 'Europe/London', date: addDays(first, -back) };
        const { ring, phone } = buildSandboxDay(life);
        const stated = (of: typeof ring, metric: string) => of.daily.find((each) => each.metric === metric)?.value ?? 0;
        const sum = (metric: string) =>
          phone.samples.filter((each) => each.metric === metric).reduce((total, { value }) => total + value, 0);
        const baselineDay = buildBaselineDay(life, life.date);
        expect(baselineDay).toEqual({
          resting_heart_rate: { value: stated(ring, 'resting_heart_rate'), device: 'ring' },
          sleep_heart_rate_variability: { value: stated(ring, 'sleep_heart_rate_variability'), device: 'ring' },
          sleep_respiratory_rate: { value: stated(ring, 'sleep_respiratory_rate'), device: 'ring' },
          steps: { value: sum('steps'), device: 'phone' },
          active_calories: { value: sum('active_calories'), device: 'phone' },
          exercise: { value: stated(phone, 'exercise'), device: 'phone' },
        });
      }
    },
  );
});
