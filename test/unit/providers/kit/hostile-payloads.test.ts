// Payloads of each provider with arbitrary corrupted values. Each is read, rejected or skipped, and
// never makes a reader throw or return impossible values.
import { expect, test } from 'vitest';
import { isMetricId, isPlausible } from '../../../../shared/catalog/metrics.ts';
import { cloudProviderIds } from '../../../../shared/catalog/provider.ts';
import { sleepStages } from '../../../../shared/catalog/sleep-stages.ts';
import { packStages, unpackStages } from '../../../../shared/measurements/codec/sleep-stages.ts';
import type { Records } from '../../../../shared/measurements/records.ts';
import { isCalendarDate } from '../../../../shared/platform/time/local-day.ts';
import { getProviderAdapter, getPushAdapter } from '../../../../shared/providers/adapters.ts';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { type ProviderResponse, UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { toSandboxAccount } from '../../../../shared/sandbox/provider-server/account.ts';
import { createItemSource } from '../../../../shared/sandbox/provider-server/built-in-provider.ts';
import { simulateDays } from '../../../../shared/sandbox/provider-server/simulate-days.ts';
import type { OutgoingPush, ProviderSimulator } from '../../../../shared/sandbox/simulated-providers/simulator.ts';
import { getSimulator } from '../../../../shared/sandbox/simulated-providers/simulators.ts';
import { corruptJson, deeplyNested, hostileValues } from '../../../harness/corrupt-json.ts';
import { randomFrom } from '../../../harness/faults.ts';
import {
  makeFetchRequest,
  makePushRequest,
  normalizePages,
  pushKeys,
  runRequestFlow,
  testCredentials,
} from '../../../harness/request-flow.ts';
import { respondAsProvider } from '../../../harness/simulated-provider.ts';

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const zone = 'Europe/Berlin';
const requestedDays = { from: '2026-03-29', to: '2026-03-31' };
const rounds = 25;

function problemsIn({ samples, daily, sleep, workouts }: Records): unknown[] {
  const isTime = (ms: number) => ms >= Date.UTC(2000, 0) && ms <= nowMs + 2 * 86_400_000;
  const isOffset = (minutes: number | null) => minutes === null || Math.abs(minutes) <= 840;
  const isCount = (minutes: number | null) => minutes === null || (Number.isFinite(minutes) && minutes >= 0);
  return [
    ...samples.filter((each) => !isPlausible(each.metric, each.value) || !(each.endMs >= each.startMs)),
    ...daily.filter((each) => !isPlausible(each.metric, each.value) || !isCalendarDate(each.date)),
    ...sleep.filter(({ asleepMinutes, deepMinutes, awakeMinutes, inBedMinutes }) =>
      [asleepMinutes, deepMinutes, awakeMinutes, inBedMinutes].some((minutes) => !isCount(minutes)),
    ),
    ...sleep.filter(({ summary = {} }) =>
      Object.entries(summary).some(
        ([metric, value]) => !isMetricId(metric) || (value && !isPlausible(metric, value.value)),
      ),
    ),
    ...sleep.filter(
      ({ startMs, stages = [] }) => unpackStages(startMs, packStages(startMs, stages)).length !== stages.length,
    ),
    ...sleep.filter(({ startMs, endMs, stages = [] }) =>
      stages.some(
        (each, at) =>
          !sleepStages.includes(each.stage) ||
          !(each.startMs >= (stages[at - 1]?.endMs ?? startMs) && each.endMs > each.startMs && each.endMs <= endMs),
      ),
    ),
    ...workouts.filter(({ type, name, sourceId }) => type.length + (name?.length ?? 0) + (sourceId?.length ?? 0) > 600),
    ...[...samples, ...sleep, ...workouts].filter(
      ({ startMs, endMs, offsetMinutes }) => !isTime(startMs) || !isTime(endMs) || !isOffset(offsetMinutes),
    ),
  ];
}

type Provider = (typeof cloudProviderIds)[number];
const life = { userId: 'usr_01kkgynztjwyzsrk5sgvqhy5d6', persona: 'athlete', timezone: zone } as const;

function shapesFor(provider: Provider): ProviderSimulator {
  const shapes = getSimulator(provider);
  if (!shapes) throw new Error(`the sandbox does not simulate ${provider}`);
  return shapes;
}

/**
 * Returns the pages of a window in which some responses are changed, or undefined if the adapter
 * rejects them.
 */
function fetched(
  provider: Provider,
  items: ReturnType<typeof createItemSource>,
  changed: (reply: () => ProviderResponse, at: number) => ProviderResponse,
): ProviderPage[] | undefined {
  const respond = respondAsProvider(shapesFor(provider), items, { account: '475', nowMs });
  const flow = getProviderAdapter(provider).fetch.fetchWindow(
    makeFetchRequest(requestedDays, { zone, nowMs, account: '475' }),
  );
  try {
    return runRequestFlow(flow, (request, at) => {
      if (at > 600) throw new Error(`${provider} sends requests without end`);
      return changed(() => respond({ ...request, query: { ...request.query, openId: '475' } }), at);
    }).result;
  } catch (error) {
    if (!(error instanceof UnexpectedResponse)) throw error;
    return undefined;
  }
}

const pushesOf = (provider: Provider): readonly OutgoingPush[] => {
  const days = simulateDays(
    { ...life, worn: getProviderAdapter(provider).descriptor.deviceType },
    requestedDays,
    nowMs,
  );
  return shapesFor(provider).buildPushes?.('475', days, { ...pushKeys, credentials: testCredentials }, nowMs) ?? [];
};

/** Returns the pages that the adapter stores from a push. */
const pagesOf = (provider: Provider, { headers, body }: OutgoingPush): ProviderPage[] =>
  (getPushAdapter(provider)?.read(makePushRequest(body, { headers, receivedMs: nowMs }))?.notifications ?? []).flatMap(
    (note) => (note.what === 'data' ? note.page : []),
  );

function expectValid(provider: Provider, pages: readonly ProviderPage[] | undefined, about: string): void {
  if (!pages || pages.length === 0) return;
  const { records } = normalizePages(provider, pages, { requested: requestedDays, timeZone: zone, receivedMs: nowMs });
  expect(problemsIn(records), about).toEqual([]);
}

test.each(cloudProviderIds)('%s may send any values in a response', (provider) => {
  const answers: ProviderResponse[] = [];
  const items = createItemSource(provider, toSandboxAccount(life), nowMs);
  fetched(provider, items, (reply) => {
    const response = reply();
    answers.push(response);
    return response;
  });
  const random = randomFrom(15);
  for (let round = 0; round < rounds; round++) {
    const spoiledAt = Math.floor(random() * answers.length);
    const pages = fetched(provider, items, (reply, at) => {
      const response = answers[at] ?? reply();
      return at === spoiledAt ? { ...response, text: corruptJson(response.text, random) } : response;
    });
    expectValid(provider, pages, `${provider}, round ${round}`);
  }
});

const pushes = new Map(cloudProviderIds.map((provider) => [provider, pushesOf(provider)]));
const senders = cloudProviderIds.filter((provider) => pushes.get(provider)?.length);

test('most providers send pushes', () => {
  expect(senders.length).toBeGreaterThan(6);
});

/** The depth of a push is checked before it is read. */
const anythingSent = hostileValues.filter((text) => text !== deeplyNested);

test.each(senders)('%s may send any values in a push', (provider) => {
  const random = randomFrom(16);
  for (let round = 0; round < rounds; round++)
    for (const push of pushes.get(provider) ?? []) {
      const pages = pagesOf(provider, { ...push, body: corruptJson(push.body, random, anythingSent) });
      expectValid(provider, pages, `${provider}, round ${round}`);
    }
});
