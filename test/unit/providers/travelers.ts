// A user far from home. Providers file data by the local clock at the place of measurement, while
// days are those of the user's zone. However the days are requested, each night, workout and sample
// is read once, on its day in the user's zone.
import { expect } from 'vitest';
import { type CloudProviderId, cloudProviderIds } from '../../../shared/catalog/provider.ts';
import type { Records } from '../../../shared/measurements/records.ts';
import { addDays, datesInRange, todayIn } from '../../../shared/platform/time/local-day.ts';
import { getProviderAdapter } from '../../../shared/providers/adapters.ts';
import type { DayWindow } from '../../../shared/providers/kit/provider-pages.ts';
import { simulateDays } from '../../../shared/sandbox/provider-server/simulate-days.ts';
import { readSimulatedWindow } from './read-simulated-window.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const userId = 'usr_01kkgynztjwyzsrk5sgvqhy5d6';

/** The providers that can be polled. Garmin cannot. */
export const polledProviders = cloudProviderIds.filter(
  (provider) => getProviderAdapter(provider).descriptor.sync.maxSilenceMinutes !== null,
);

/** Whether a provider reports nights and workouts, according to the metrics of its descriptor. */
export function demandedSessions(provider: CloudProviderId): { sleep: boolean; workouts: boolean } {
  const { metrics } = getProviderAdapter(provider).descriptor;
  // COROS reports nights without their stages, so it has no `asleep`.
  const hasNights = metrics.includes('asleep') || metrics.includes('time_in_bed');
  // Ultrahuman reports the minutes of exercise of a day, without the workouts.
  const hasWorkouts = metrics.includes('exercise') && provider !== 'ultrahuman';
  return { sleep: hasNights, workouts: hasWorkouts };
}

/** The providers that have daily values or samples alone. */
export const providersWithoutSessions = polledProviders.filter((provider) => {
  const { sleep, workouts } = demandedSessions(provider);
  return !sleep && !workouts;
});

export interface Journey {
  home: string;
  abroad: string;
  days: DayWindow;
}

function reading(provider: CloudProviderId, { home, abroad, days: { from, to } }: Journey) {
  const around = { from: addDays(from, -4), to: addDays(to, 4) };
  const worn = getProviderAdapter(provider).descriptor.deviceType;
  const simulated = simulateDays({ userId, persona: 'athlete', timezone: abroad, worn }, around, nowMs);
  return (window: DayWindow): Records => {
    const { records, rejected } = readSimulatedWindow(provider, simulated, { window, timeZone: home, nowMs });
    expect(rejected).toEqual({ count: 0, first: [] });
    return records;
  };
}

const linesOf = ({ samples, daily, sleep, workouts }: Records): string[] =>
  [...samples, ...daily, ...sleep, ...workouts].map((each) => JSON.stringify(each));

/** Returns the days that the records are on. */
const datesIn = ({ samples, daily, sleep, workouts }: Records, zone: string): Set<string> =>
  new Set([
    ...daily.map(({ date }) => date),
    ...[...samples, ...workouts].map(({ startMs }) => todayIn(zone, startMs)),
    ...sleep.map(({ endMs }) => todayIn(zone, endMs)),
  ]);

/** Returns the offsets of the nights, workouts and samples; null for those that state none. */
export function listOffsets(provider: CloudProviderId, journey: Journey) {
  const { sleep, workouts, samples } = reading(provider, journey)(journey.days);
  const offsetsOf = (records: readonly { offsetMinutes: number | null }[]) => [
    ...new Set(records.map(({ offsetMinutes }) => offsetMinutes)),
  ];
  return { sleep: offsetsOf(sleep), workouts: offsetsOf(workouts), samples: offsetsOf(samples) };
}

/** Asserts it for every split of the days into windows. */
export function expectEachOnItsDay(provider: CloudProviderId, journey: Journey): void {
  const { home, days } = journey;
  const read = reading(provider, journey);
  const complete = read(days);
  expect(linesOf(complete).length).toBeGreaterThan(1);
  const hasSeveral = { sleep: complete.sleep.length > 1, workouts: complete.workouts.length > 1 };
  expect(hasSeveral).toEqual(demandedSessions(provider));
  const dates = datesInRange(days.from, days.to);
  expect([...datesIn(complete, home)].filter((date) => !dates.includes(date))).toEqual([]);

  const parts = dates.map((date) => read({ from: date, to: date }));
  for (const [at, records] of parts.entries())
    expect([...datesIn(records, home)].filter((date) => date !== dates[at])).toEqual([]);
  expect(parts.flatMap(linesOf).sort()).toEqual(linesOf(complete).sort());
}
