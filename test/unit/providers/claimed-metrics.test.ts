// What a descriptor claims is what its adapter fills: from the sandbox's lives, and from payloads written down where no life has such a thing.
import { describe, expect, test } from 'vitest';
import { isMetricId, type SampleId } from '../../../shared/catalog/metrics.ts';
import { type CloudProviderId, cloudProviderIds } from '../../../shared/catalog/provider.ts';
import { SandboxPersona } from '../../../shared/catalog/sandbox.ts';
import type { Records } from '../../../shared/measurements/records.ts';
import { sleepDayMetrics } from '../../../shared/measurements/sleep.ts';
import { adapterOf, pushOf } from '../../../shared/providers/adapters.ts';
import { providers } from '../../../shared/providers/catalog.ts';
import { lifeDays } from '../../../shared/sandbox/provider-server/living.ts';
import { shapesOf } from '../../../shared/sandbox/simulated-providers/every-shape.ts';
import { itemsOfDays, playedBy } from '../../harness/played-vendor.ts';
import { askedFor, holding, normalizedPages, pushed, pushKeys, talked } from '../../harness/vendor-talk.ts';
import { rarelyTold } from './kit/rarely-told.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const timezone = 'Europe/Berlin';
const window = { from: '2026-03-18', to: '2026-03-31' };
const userId = 'usr_01kkgynztjwyzsrk5sgvqhy5d6';

function toldOf(provider: CloudProviderId, persona: SandboxPersona): Records[] {
  const { fetch, grant, descriptor } = adapterOf(provider);
  const shapes = shapesOf(provider);
  const days = lifeDays({ userId, persona, timezone, worn: descriptor.deviceType }, window, nowMs);
  const played = playedBy(shapes, itemsOfDays(shapes, days), { nowMs });
  const asked = askedFor(window, { nowMs, zone: timezone });
  const facts = { timeZone: timezone, receivedMs: nowMs };
  const notes = (shapes.pushes?.('account-1', days, pushKeys, nowMs) ?? []).flatMap(
    ({ headers, body }) => pushOf(provider)?.read(pushed(body, { headers }))?.notes ?? [],
  );
  const sent = notes.flatMap((note) => (note.what === 'data' ? [note.page] : []));
  const mayBeAsked = descriptor.sync.silentMinutes !== null;
  const fetched = mayBeAsked
    ? talked(fetch.window(asked), (request) => played(grant.authorized?.(request, holding()) ?? request)).result
    : [];
  return [
    normalizedPages(provider, fetched, { ...facts, asked: window }).records,
    normalizedPages(provider, sent, facts).records,
  ];
}

/** Which days' metrics come of it. */
const filledBy = ({ daily, samples, sleep }: Records): SampleId[] => [
  ...daily.map(({ metric }) => metric),
  ...samples.map(({ metric }) => metric),
  ...sleep.flatMap(({ summary = {} }) =>
    Object.entries(summary).flatMap(([metric, value]) => (value && isMetricId(metric) ? [metric] : [])),
  ),
  ...sleep.flatMap((night, at) =>
    Object.keys(sleepDayMetrics([{ ...night, id: String(at), receivedMs: nowMs }])).filter(isMetricId),
  ),
];

describe.each(cloudProviderIds)('%s', (provider) => {
  const claimed: readonly SampleId[] = providers[provider].metrics;
  const rare = normalizedPages(provider, rarelyTold[provider], {
    timeZone: timezone,
    receivedMs: Date.parse('2026-12-31T12:00:00Z'),
  });
  const filled = new Set([
    ...SandboxPersona.options.flatMap((persona) => toldOf(provider, persona).flatMap(filledBy)),
    ...filledBy(rare.records),
  ]);

  test('fills every metric that it claims, and none that it does not', () => {
    expect(rare.rejected).toEqual({ count: 0, first: [] });
    expect([...filled].sort()).toEqual([...claimed].sort());
  });
});
