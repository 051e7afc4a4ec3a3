import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Records } from '../../../../shared/measurements/records.ts';
import { corosFetch } from '../../../../shared/providers/coros/fetch.ts';
import { corosGrant } from '../../../../shared/providers/coros/grant.ts';
import { corosPush } from '../../../../shared/providers/coros/push.ts';
import type { ProviderRequest } from '../../../../shared/providers/kit/request-flow.ts';
import { corosSimulator } from '../../../../shared/sandbox/simulated-providers/coros.ts';
import type { SimulatedDay } from '../../../../shared/sandbox/simulated-providers/simulated-day.ts';
import {
  makeFetchRequest,
  makeGrantContext,
  makePushRequest,
  nightSummaries,
  normalizePages,
  pushKeys,
  runRequestFlow,
} from '../../../harness/request-flow.ts';
import { itemsOfDays, respondAsProvider } from '../../../harness/simulated-provider.ts';
import { makeSimulatedDay, makeSimulatedDays } from '../simulated-day.ts';

const nowMs = Date.parse('2026-03-20T12:00:00Z');
const zone = 'Europe/Berlin';
const { authorizeRequest: authorized } = corosGrant;

function fetched(days: readonly SimulatedDay[], window: { from: string; to: string }): Records {
  const respond = respondAsProvider(corosSimulator, itemsOfDays(corosSimulator, days), { nowMs });
  const { result } = runRequestFlow(
    corosFetch.fetchWindow(makeFetchRequest(window, { nowMs, zone })),
    (request: ProviderRequest) => respond(authorized?.(request, makeGrantContext()) ?? request),
  );
  const { records, rejected } = normalizePages('coros', result, {
    requested: window,
    timeZone: zone,
    receivedMs: nowMs,
  });
  expect(rejected).toEqual({ count: 0, first: [] });
  return records;
}
const inOrder = ({ samples, daily, sleep, workouts }: Records) =>
  [...samples, ...daily, ...sleep, ...workouts].map((record) => JSON.stringify(record)).sort();

test('the days of a sandbox persona read back unchanged', () => {
  const records = fetched(makeSimulatedDays('2026-03-08', 6), { from: '2026-03-11', to: '2026-03-11' });
  expect(records.daily.map(({ metric, date, value }) => [metric, date, value])).toEqual([
    ['steps', '2026-03-11', 9000],
    ['resting_heart_rate', '2026-03-11', 52],
  ]);
  expect(nightSummaries(records)).toEqual([{ sleep_heart_rate: 54, sleep_heart_rate_variability: 48 }]);
  expect(records.sleep).toMatchObject([
    {
      startMs: Date.parse('2026-03-10T22:30:00+01:00'),
      endMs: Date.parse('2026-03-11T06:30:00+01:00'),
      inBedMinutes: 480,
      asleepMinutes: null,
    },
  ]);
  expect(records.workouts).toMatchObject([{ type: 'running', calories: 610, distanceKm: 10.5, steps: 9100 }]);
  expect(records.workouts[0]?.sourceId).toMatch(/^\d{16,19}$/);
  expect(records.samples.map(({ metric, value }) => [metric, value])).toEqual([
    ['running', 10.5],
    ['exercise', 60],
    ['heart_rate_variability_rmssd', 46],
  ]);
  expect(records.covered).toMatchObject([{ workouts: true }, { sleep: true }]);
});

test('an empty account is covered and yields no records', () => {
  const records = fetched([], { from: '2026-03-11', to: '2026-03-12' });
  expect(records).toMatchObject({ samples: [], daily: [], sleep: [], workouts: [], covered: [{}, {}] });
});

test('the same days give the same records however they are split into windows', () => {
  const days = makeSimulatedDays('2026-03-08', 8);
  const complete = inOrder(fetched(days, { from: '2026-03-09', to: '2026-03-14' }));
  expect(complete.length).toBeGreaterThan(40);
  fc.assert(
    fc.property(fc.integer({ min: 9, max: 13 }), (last) => {
      const date = (number: number) => `2026-03-${String(number).padStart(2, '0')}`;
      const parts = [
        fetched(days, { from: '2026-03-09', to: date(last) }),
        fetched(days, { from: date(last + 1), to: '2026-03-14' }),
      ];
      expect(parts.flatMap(inOrder).sort()).toEqual(complete);
    }),
    { numRuns: 5 },
  );
});

test('what the sandbox pushes is genuine, and equals what would be fetched', () => {
  const day = makeSimulatedDay('2026-03-11');
  const notes = (corosSimulator.buildPushes?.('account-1', [day], pushKeys, nowMs) ?? []).flatMap(
    ({ headers, body }) => {
      const request = makePushRequest(body, { headers });
      expect(corosPush.isGenuine(request, pushKeys)).toBe(true);
      return corosPush.read(request)?.notifications ?? [];
    },
  );
  expect(notes.map(({ account, what }) => [account, what])).toEqual([
    ['account-1', 'data'],
    ['account-1', 'data'],
  ]);
  const pages = notes.flatMap((note) => (note.what === 'data' ? [note.page] : []));
  const { records } = normalizePages('coros', pages, { receivedMs: nowMs, timeZone: zone });
  expect(records.covered).toBeUndefined();
  expect(inOrder(records)).toEqual(inOrder(fetched([day], { from: '2026-03-11', to: '2026-03-11' })));
});
