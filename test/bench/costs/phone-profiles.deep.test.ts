// The cost of a phone's hours and days. The figures in README and ARCHITECTURE depend on it.
import { expect, test } from 'vitest';
import { dollarsOf } from './dollars.ts';
import { measurePhoneProfiles } from './phone-profiles.ts';
import { totalOf, type Usage } from './usage.ts';

const costOf = (usage: Usage | undefined) => {
  if (!usage) throw new Error('the day has no such hour');
  return {
    writes: Math.round(totalOf(usage, 'writeUnits')),
    reads: Math.round(totalOf(usage, 'readUnits')),
    calls: Math.round(totalOf(usage, 'tableCalls')),
    runs: totalOf(usage, 'runs'),
  };
};

test("a phone's hours and days cost the documented amounts", async () => {
  const { operations, typicalHour: realHour, day24, day44, hourStart } = await measurePhoneProfiles();
  const named = (name: string) => operations.find((each) => each.name.startsWith(name))?.usage;
  expect(costOf(realHour)).toEqual({ writes: 34, reads: 19, calls: 30, runs: 5 });
  expect(costOf(named('a real hour of one phone, scores wait'))).toEqual({ writes: 30, reads: 18, calls: 29, runs: 5 });
  expect(costOf(named('the same upload again'))).toEqual({ writes: 1, reads: 1, calls: 2, runs: 1 });
  // The counts of the hour, of both environments of the account; one write is the deployment's.
  expect(costOf(hourStart)).toEqual({ writes: 3, reads: 13, calls: 17, runs: 0 });
  const month = (usage: Usage) => 30 * dollarsOf(usage);
  expect(month(day24)).toBeLessThan(0.027);
  expect(month(day44)).toBeLessThan(0.046);
}, 240_000);
