// The stages of simulated nights, returned or pushed in the format of each provider and read back.
import { expect, test } from 'vitest';
import { type CloudProviderId, cloudProviderIds } from '../../../shared/catalog/provider.ts';
import type { SandboxPersona } from '../../../shared/catalog/sandbox.ts';
import type { Records } from '../../../shared/measurements/records.ts';
import { toSleepRows } from '../../../shared/pipeline/merge-sessions.ts';
import { getProviderAdapter, getPushAdapter } from '../../../shared/providers/adapters.ts';
import type { ProviderPage } from '../../../shared/providers/kit/provider-pages.ts';
import { form2SleepSession } from '../../../shared/reads/sleep/form-2.ts';
import { simulateDays } from '../../../shared/sandbox/provider-server/simulate-days.ts';
import type { SimulatedDay } from '../../../shared/sandbox/simulated-providers/simulated-day.ts';
import type { ProviderSimulator } from '../../../shared/sandbox/simulated-providers/simulator.ts';
import { getSimulator } from '../../../shared/sandbox/simulated-providers/simulators.ts';
import { linkedDevice } from '../../harness/linked-user.ts';
import {
  makeFetchRequest,
  makePushRequest,
  normalizePages,
  pushKeys,
  runRequestFlow,
} from '../../harness/request-flow.ts';
import { itemsOfDays, respondAsProvider } from '../../harness/simulated-provider.ts';
import { readSimulatedWindow } from './read-simulated-window.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const timezone = 'Europe/Berlin';
/** Clocks change on the night to the 29th. */
const window = { from: '2026-03-25', to: '2026-03-30' };

function fetchPages(provider: CloudProviderId, shapes: ProviderSimulator, days: readonly SimulatedDay[]) {
  const respond = respondAsProvider(shapes, itemsOfDays(shapes, days), { nowMs });
  const { fetch } = getProviderAdapter(provider);
  return runRequestFlow(fetch.fetchWindow(makeFetchRequest(window, { nowMs, zone: timezone })), respond).result;
}

function readPushedPages(
  provider: CloudProviderId,
  shapes: ProviderSimulator,
  days: readonly SimulatedDay[],
): ProviderPage[] {
  const pushes = shapes.buildPushes?.('account-1', days, pushKeys, nowMs) ?? [];
  return pushes.flatMap(({ headers, body }) =>
    (getPushAdapter(provider)?.read(makePushRequest(body, { headers }))?.notifications ?? []).flatMap((note) =>
      note.what === 'data' ? [note.page] : [],
    ),
  );
}

function readBack(provider: CloudProviderId, days: readonly SimulatedDay[]): Records {
  const shapes = getSimulator(provider);
  if (!shapes) throw new Error(`the sandbox does not simulate ${provider}`);
  const { push } = getProviderAdapter(provider).descriptor;
  const options = { timeZone: timezone, receivedMs: nowMs };
  const { records, rejected } = push?.carriesData
    ? normalizePages(
        provider,
        readPushedPages(
          provider,
          shapes,
          days.filter(({ date }) => date >= window.from && date <= window.to),
        ),
        options,
      )
    : normalizePages(provider, fetchPages(provider, shapes, days), { ...options, requested: window });
  expect(rejected).toEqual({ count: 0, first: [] });
  return records;
}

/** Ultrahuman's nights end when the user wakes up, without the time awake after that. */
const reporting: Record<
  CloudProviderId,
  { reportsNaps: boolean; endsOnWaking: boolean } | 'minutes only' | 'no nights'
> = {
  oura: { reportsNaps: true, endsOnWaking: false },
  garmin: { reportsNaps: false, endsOnWaking: false },
  google_health: { reportsNaps: true, endsOnWaking: false },
  polar: { reportsNaps: false, endsOnWaking: false },
  withings: { reportsNaps: true, endsOnWaking: false },
  ultrahuman: { reportsNaps: false, endsOnWaking: true },
  whoop: 'minutes only',
  suunto: 'minutes only',
  coros: 'minutes only',
  strava: 'no nights',
};
const lives = cloudProviderIds.flatMap((provider) => {
  const stages = reporting[provider];
  if (typeof stages === 'string') return [];
  return (['average', 'shift_worker', 'traveller'] as const).map((persona) => ({ provider, ...stages, persona }));
});
const listReporting = (stages: 'minutes only' | 'no nights') =>
  cloudProviderIds.filter((provider) => reporting[provider] === stages);

const userId = 'usr_01kkgynztjwyzsrk5sgvqhy5d6';

function simulateLife(provider: CloudProviderId, persona: SandboxPersona): SimulatedDay[] {
  const { deviceType } = getProviderAdapter(provider).descriptor;
  const life = { userId, persona, timezone, worn: deviceType };
  return simulateDays(life, { from: '2026-03-20', to: '2026-03-31' }, nowMs);
}

test.each(lives)(
  '$provider reports every stage of the nights of $persona',
  ({ provider, reportsNaps, endsOnWaking, persona }) => {
    const days = simulateLife(provider, persona);
    const sleeps = days
      .filter(({ date }) => date >= window.from && date <= window.to)
      .flatMap((day) => day.sleeps.filter(({ isNap }) => reportsNaps || !isNap));
    expect(sleeps.length).toBeGreaterThanOrEqual(6);
    const read = new Map(readBack(provider, days).sleep.map(({ startMs, stages }) => [startMs, stages]));
    for (const { startMs, stages } of sleeps) {
      if (endsOnWaking) expect(stages.at(-1)?.stage).toBe('awake');
      expect(read.get(startMs)).toEqual(endsOnWaking ? stages.slice(0, -1) : stages);
    }
  },
);

const readAverage = (provider: CloudProviderId) => {
  const days = simulateLife(provider, 'average');
  return readSimulatedWindow(provider, days, { window, timeZone: timezone, nowMs }).records.sleep;
};

test.each(listReporting('minutes only'))('%s reports no stages, so its nights have none', (provider) => {
  const sleep = readAverage(provider);
  expect(sleep.length).toBeGreaterThanOrEqual(6);
  const device = linkedDevice('dev_1', { provider });
  const rows = toSleepRows(
    { userId, deviceId: device.id, device: 0, rule: { zone: timezone, by: 'profile' } },
    sleep.map((session) => ({ session, receivedMs: nowMs })),
  );
  const read = { date: window.from, device, isMainSleep: true, efficiencyPct: null, zone: timezone };
  for (const row of rows)
    expect(form2SleepSession.render({ ...read, row, samples: new Map() }, { include_sources: false })).toMatchObject({
      source: provider,
      stages: null,
    });
});

test.each(listReporting('no nights'))('%s reports no nights', (provider) => {
  expect(readAverage(provider)).toEqual([]);
});
