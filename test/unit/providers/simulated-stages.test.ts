// The stages of the nights of every sandbox persona, as each provider tells them.
import { describe, expect, test } from 'vitest';
import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import { SandboxPersona } from '../../../shared/catalog/sandbox.ts';
import { toSleepRows } from '../../../shared/pipeline/merge-sessions.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';
import { form2SleepSession } from '../../../shared/reads/sleep/form-2.ts';
import { simulateDays } from '../../../shared/sandbox/provider-server/simulate-days.ts';
import { linkedDevice } from '../../harness/linked-user.ts';
import { readSimulatedWindow } from './read-simulated-window.ts';

const userId = 'usr_01kkgynztjwyzsrk5sgvqhy5d6';
/** Clocks went forward in Berlin on 29 March. */
const nowMs = Date.parse('2026-03-31T15:00:00Z');
const window = { from: '2026-03-26', to: '2026-03-30' };
const timezone = 'Europe/Berlin';

function readPersona(provider: CloudProviderId, persona: SandboxPersona) {
  const worn = providerDescriptors[provider].deviceType;
  const around = { from: '2026-03-22', to: '2026-03-31' };
  const days = simulateDays({ userId, persona, timezone, worn }, around, nowMs);
  const { records, rejected } = readSimulatedWindow(provider, days, { window, timeZone: timezone, nowMs });
  expect(rejected).toEqual({ count: 0, first: [] });
  return { records, sleeps: days.flatMap(({ sleeps }) => sleeps) };
}

describe.each([
  { provider: 'polar', endsOnWaking: false },
  { provider: 'withings', endsOnWaking: false },
  { provider: 'ultrahuman', endsOnWaking: true },
] as const)('$provider', ({ provider, endsOnWaking }) => {
  test.each(SandboxPersona.options)('tells the stages of %s', (persona) => {
    const { records, sleeps } = readPersona(provider, persona);
    // A user who has switched to a watch no longer wears the ring.
    const isWorn = persona !== 'device_swap' || providerDescriptors[provider].deviceType !== 'ring';
    expect(records.sleep.length > 2).toBe(isWorn);
    for (const { startMs, stages } of records.sleep) {
      const sent = sleeps.find((sleep) => sleep.startMs === startMs)?.stages;
      if (endsOnWaking) expect(sent?.at(-1)?.stage).toBe('awake');
      expect(sent?.length).toBeGreaterThan(1);
      expect(stages).toEqual(endsOnWaking ? sent?.slice(0, -1) : sent);
    }
  });
});

test('WHOOP, Suunto and COROS tell no stages, so their nights have none, and Strava tells no nights', () => {
  for (const provider of ['whoop', 'suunto', 'coros'] as const) {
    const { sleep } = readPersona(provider, 'average').records;
    expect(sleep.length).toBeGreaterThan(2);
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
  }
  expect(readPersona('strava', 'average').records.sleep).toEqual([]);
});
