// The metrics that a descriptor claims are the metrics that its adapter fills, from the sandbox's
// personas and, where no persona has them, from hand-written payloads.
import { describe, expect, test } from 'vitest';
import { isMetricId, type SampleId } from '../../../shared/catalog/metrics.ts';
import { type CloudProviderId, cloudProviderIds } from '../../../shared/catalog/provider.ts';
import { SandboxPersona } from '../../../shared/catalog/sandbox.ts';
import type { Records } from '../../../shared/measurements/records.ts';
import { computeSleepDayMetrics } from '../../../shared/measurements/sleep.ts';
import { getProviderAdapter, getPushAdapter } from '../../../shared/providers/adapters.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';
import { simulateDays } from '../../../shared/sandbox/provider-server/simulate-days.ts';
import { getSimulator } from '../../../shared/sandbox/simulated-providers/simulators.ts';
import { makePushRequest, normalizePages, pushKeys } from '../../harness/request-flow.ts';
import { rarePages } from './kit/rare-payloads.ts';
import { readSimulatedWindow } from './read-simulated-window.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const timezone = 'Europe/Berlin';
const window = { from: '2026-03-18', to: '2026-03-31' };
const userId = 'usr_01kkgynztjwyzsrk5sgvqhy5d6';

function readRecords(provider: CloudProviderId, persona: SandboxPersona): Records[] {
  const { descriptor } = getProviderAdapter(provider);
  const days = simulateDays({ userId, persona, timezone, worn: descriptor.deviceType }, window, nowMs);
  const notifications = (getSimulator(provider).buildPushes?.('account-1', days, pushKeys, nowMs) ?? []).flatMap(
    ({ headers, body }) => getPushAdapter(provider)?.read(makePushRequest(body, { headers }))?.notifications ?? [],
  );
  const pushedPages = notifications.flatMap((notification) =>
    notification.what === 'data' ? [notification.page] : [],
  );
  const canPoll = descriptor.sync.maxSilenceMinutes !== null;
  return [
    ...(canPoll ? [readSimulatedWindow(provider, days, { window, timeZone: timezone, nowMs }).records] : []),
    normalizePages(provider, pushedPages, { timeZone: timezone, receivedMs: nowMs }).records,
  ];
}

/** The metrics that the records fill. */
const filledBy = ({ daily, samples, sleep }: Records): SampleId[] => [
  ...daily.map(({ metric }) => metric),
  ...samples.map(({ metric }) => metric),
  ...sleep.flatMap(({ summary = {} }) =>
    Object.entries(summary).flatMap(([metric, value]) => (value && isMetricId(metric) ? [metric] : [])),
  ),
  ...sleep.flatMap((night, at) =>
    Object.keys(computeSleepDayMetrics([{ ...night, id: String(at), receivedMs: nowMs }])).filter(isMetricId),
  ),
];

describe.each(cloudProviderIds)('%s', (provider) => {
  const claimed: readonly SampleId[] = providerDescriptors[provider].metrics;
  const rare = normalizePages(provider, rarePages[provider], {
    timeZone: timezone,
    receivedMs: Date.parse('2026-12-31T12:00:00Z'),
  });
  const filled = new Set([
    ...SandboxPersona.options.flatMap((persona) => readRecords(provider, persona).flatMap(filledBy)),
    ...filledBy(rare.records),
  ]);

  test('fills every metric that it claims, and none that it does not', () => {
    expect(rare.rejected).toEqual({ count: 0, first: [] });
    expect([...filled].sort()).toEqual([...claimed].sort());
  });
});
