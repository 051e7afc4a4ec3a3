// Compares the days of every sandbox persona with what is read back from Garmin, Suunto and COROS.
import { describe, expect, test } from 'vitest';
import { SandboxPersona } from '../../../../shared/catalog/sandbox.ts';
import type { Records } from '../../../../shared/measurements/records.ts';
import { getProviderAdapter } from '../../../../shared/providers/adapters.ts';
import { garminPush } from '../../../../shared/providers/garmin/push.ts';
import type { ProviderAdapter } from '../../../../shared/providers/kit/adapter.ts';
import { simulateDays } from '../../../../shared/sandbox/provider-server/simulate-days.ts';
import { corosSimulator } from '../../../../shared/sandbox/simulated-providers/coros.ts';
import { garminSimulator } from '../../../../shared/sandbox/simulated-providers/garmin.ts';
import type { SimulatedDay } from '../../../../shared/sandbox/simulated-providers/simulated-day.ts';
import type { ProviderSimulator } from '../../../../shared/sandbox/simulated-providers/simulator.ts';
import { suuntoSimulator } from '../../../../shared/sandbox/simulated-providers/suunto.ts';
import {
  makeFetchRequest,
  makeGrantContext,
  makePushRequest,
  normalizePages,
  pushKeys,
  runRequestFlow,
} from '../../../harness/request-flow.ts';
import { itemsOfDays, respondAsProvider } from '../../../harness/simulated-provider.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const timezone = 'Europe/Berlin';
const window = { from: '2026-03-21', to: '2026-03-31' };
const userId = 'usr_01kkgynztjwyzsrk5sgvqhy5d6';

function read(adapter: ProviderAdapter, shapes: ProviderSimulator, days: readonly SimulatedDay[]): Records {
  const respond = respondAsProvider(shapes, itemsOfDays(shapes, days), { nowMs });
  const fetchRequest = makeFetchRequest(window, { nowMs, zone: timezone });
  const { result } = runRequestFlow(adapter.fetch.fetchWindow(fetchRequest), (request) =>
    respond(adapter.grant.authorizeRequest?.(request, makeGrantContext()) ?? request),
  );
  return expectNoneRejected(
    normalizePages(adapter.descriptor.id, result, { requested: window, timeZone: timezone, receivedMs: nowMs }),
  );
}

function sent(days: readonly SimulatedDay[]): Records {
  const pushes = garminSimulator.buildPushes?.('account-1', days, pushKeys, nowMs) ?? [];
  const pages = pushes.flatMap(({ headers, body }) =>
    (garminPush.read(makePushRequest(body, { headers }))?.notifications ?? []).flatMap((note) =>
      note.what === 'data' ? [note.page] : [],
    ),
  );
  return expectNoneRejected(normalizePages('garmin', pages, { timeZone: timezone, receivedMs: nowMs }));
}

function expectNoneRejected({ records, rejected }: ReturnType<typeof normalizePages>): Records {
  expect(rejected).toEqual({ count: 0, first: [] });
  return records;
}

const daysInWindow = (days: readonly SimulatedDay[]) =>
  days.filter(({ date }) => date >= window.from && date <= window.to);
const stepsOf = (days: readonly SimulatedDay[]) =>
  days.flatMap(({ date, steps }) => (steps === null ? [] : [[date, steps]]));
const recordedSteps = ({ daily }: Records) =>
  daily.flatMap(({ metric, date, value }) => (metric === 'steps' ? [[date, value]] : []));
const nightsOf = (days: readonly SimulatedDay[]) =>
  days.flatMap(({ sleeps }) => sleeps.filter(({ isNap }) => !isNap).map(({ startMs }) => Math.floor(startMs / 1000)));
const starts = (sessions: readonly { startMs: number }[]) => sessions.map(({ startMs }) => Math.floor(startMs / 1000));

describe.each(SandboxPersona.options.map((persona) => ({ persona })))('$persona', ({ persona }) => {
  const days = simulateDays(
    { userId, persona, timezone, worn: 'wrist' },
    { from: '2026-03-18', to: '2026-03-31' },
    nowMs,
  );

  test('reads back as Garmin pushes it', () => {
    const records = sent(daysInWindow(days));
    expect(recordedSteps(records)).toEqual(stepsOf(daysInWindow(days)));
    expect(starts(records.sleep)).toEqual(expect.arrayContaining(nightsOf(daysInWindow(days))));
    expect(records.workouts).toHaveLength(daysInWindow(days).flatMap(({ workouts }) => workouts).length);
  });

  test('reads back as Suunto returns it', () => {
    const records = read(getProviderAdapter('suunto'), suuntoSimulator, days);
    // Today is still in progress, so its steps are those of its samples.
    const over = daysInWindow(days).filter(({ endMs }) => endMs <= nowMs);
    expect(recordedSteps(records).filter(([date]) => date !== '2026-03-31')).toEqual(stepsOf(over));
    expect(starts(records.sleep)).toEqual(expect.arrayContaining(nightsOf(daysInWindow(days))));
  });

  test('reads back as COROS returns it', () => {
    const records = read(getProviderAdapter('coros'), corosSimulator, days);
    expect(recordedSteps(records)).toEqual(stepsOf(daysInWindow(days)));
    expect(starts(records.sleep)).toEqual(nightsOf(daysInWindow(days)));
  });
});
