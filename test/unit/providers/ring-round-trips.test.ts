// Days of every sandbox persona, returned as Oura, WHOOP and Ultrahuman and read back: no night,
// workout or step is lost or duplicated.
import { expect, test } from 'vitest';
import { SandboxPersona } from '../../../shared/catalog/sandbox.ts';
import { datesInRange } from '../../../shared/platform/time/local-day.ts';
import { getProviderAdapter } from '../../../shared/providers/adapters.ts';
import { toSandboxAccount } from '../../../shared/sandbox/provider-server/account.ts';
import { createItemSource } from '../../../shared/sandbox/provider-server/built-in-provider.ts';
import { simulateDays } from '../../../shared/sandbox/provider-server/simulate-days.ts';
import { ouraSimulator } from '../../../shared/sandbox/simulated-providers/oura.ts';
import type { SimulatedSleep } from '../../../shared/sandbox/simulated-providers/simulated-day.ts';
import { ultrahumanSimulator } from '../../../shared/sandbox/simulated-providers/ultrahuman.ts';
import { whoopSimulator } from '../../../shared/sandbox/simulated-providers/whoop.ts';
import { makeFetchRequest, normalizePages, runRequestFlow } from '../../harness/request-flow.ts';
import { respondAsProvider } from '../../harness/simulated-provider.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const zone = 'Europe/Berlin';
const requestedDays = { from: '2026-03-18', to: '2026-03-31' };

const lives = [
  {
    adapter: getProviderAdapter('oura'),
    shapes: ouraSimulator,
    endsOnWaking: false,
    tellsNaps: true,
    tellsWorkouts: true,
    tellsSteps: true,
  },
  {
    adapter: getProviderAdapter('whoop'),
    shapes: whoopSimulator,
    endsOnWaking: false,
    tellsNaps: true,
    tellsWorkouts: true,
    tellsSteps: false,
  },
  {
    adapter: getProviderAdapter('ultrahuman'),
    shapes: ultrahumanSimulator,
    endsOnWaking: true,
    tellsNaps: false,
    tellsWorkouts: false,
    tellsSteps: true,
  },
].flatMap((testCase) => SandboxPersona.options.map((persona) => ({ ...testCase, persona })));

/** Nights in the sandbox end with some time awake. */
function findWakeMs({ stages }: SimulatedSleep): number {
  const last = stages.at(-1);
  if (last?.stage !== 'awake') return expect.unreachable();
  return last.startMs;
}

test.each(lives)('$adapter.descriptor.name returns the days of $persona', (testCase) => {
  const {
    adapter,
    shapes,
    persona,
    endsOnWaking,
    tellsNaps: reportsNaps,
    tellsWorkouts: reportsWorkouts,
    tellsSteps: reportsSteps,
  } = testCase;
  const { id, deviceType } = adapter.descriptor;
  const life = { userId: 'usr_01kkgynztjwyzsrk5sgvqhy5d6', persona, timezone: zone };
  const items = createItemSource(id, toSandboxAccount(life), nowMs);
  const respond = respondAsProvider(shapes, items, { account: '475', nowMs });
  const pages = runRequestFlow(
    adapter.fetch.fetchWindow(makeFetchRequest(requestedDays, { zone, nowMs })),
    respond,
  ).result;
  const { records, rejected } = normalizePages(id, pages, {
    requested: requestedDays,
    timeZone: zone,
    receivedMs: nowMs,
  });
  expect(rejected).toEqual({ count: 0, first: [] });

  const days = simulateDays({ ...life, worn: deviceType }, requestedDays, nowMs);
  expect(days.length).toBeGreaterThan(10);
  // A user who has switched to a watch no longer wears the ring, and an empty one wears nothing.
  const isWorn = persona !== 'empty' && (persona !== 'device_swap' || deviceType === 'wrist');
  expect(days.some((day) => day.sleeps.length > 0)).toBe(isWorn);
  const sleeps = days
    .flatMap((day) => day.sleeps)
    .filter(({ isNap }) => reportsNaps || !isNap)
    .map((sleep) => (endsOnWaking ? { ...sleep, endMs: findWakeMs(sleep) } : sleep));
  const asleep = (list: readonly { endMs: number; asleepMinutes: number | null }[]) =>
    list.map(({ endMs, asleepMinutes }) => `${Math.floor(endMs / 1000)} ${asleepMinutes}`).sort();
  expect(asleep(records.sleep)).toEqual(asleep(sleeps));
  const workouts = reportsWorkouts ? days.flatMap((day) => day.workouts) : [];
  expect(records.workouts.map(({ startMs }) => startMs).sort()).toEqual(workouts.map(({ startMs }) => startMs).sort());
  const stepsOn = new Map(
    records.daily.flatMap(({ metric, date, value }) => (metric === 'steps' ? [[date, value] as const] : [])),
  );
  expect(datesInRange(requestedDays.from, requestedDays.to).map((date) => stepsOn.get(date) ?? null)).toEqual(
    datesInRange(requestedDays.from, requestedDays.to).map(
      (date) => (reportsSteps ? days.find((day) => day.date === date)?.steps : undefined) ?? null,
    ),
  );
});
