// How many people a provider's limit serves, as `infra/decisions.md` states it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CloudProviderId, cloudProviderIds } from '../../../../shared/catalog/provider.ts';
import {
  countPolledPeople,
  findNarrowestLimit,
  findPollLimit,
  pollShare,
} from '../../../../shared/connections/client/poll-share.ts';
import { toProviderRate } from '../../../../shared/connections/client/provider-rate.ts';
import { canBePolled } from '../../../../shared/connections/client/sync-backoff.ts';
import { addDays } from '../../../../shared/platform/time/local-day.ts';
import { getProviderAdapter } from '../../../../shared/providers/adapters.ts';
import { providerDescriptors } from '../../../../shared/providers/catalog.ts';
import { simulateDays } from '../../../../shared/sandbox/provider-server/simulate-days.ts';
import { getSimulator } from '../../../../shared/sandbox/simulated-providers/simulators.ts';
import { makeFetchRequest, makeGrantContext, runRequestFlow } from '../../../harness/request-flow.ts';
import { itemsOfDays, respondAsProvider } from '../../../harness/simulated-provider.ts';

/** An assumption: each push makes a run read the same days as a poll, unless it carries the data. */
const pushesADay = 17;
const dayMs = 86_400_000;
const zone = 'Europe/Berlin';

/** The requests of one poll at three in the afternoon. */
function countRequests(provider: CloudProviderId, today: string): number {
  const { descriptor, fetch, grant } = getProviderAdapter(provider);
  const nowMs = Date.parse(`${today}T15:00:00Z`);
  const person = { userId: 'usr_01kkgynztjwyzsrk5sgvqhy5d6', persona: 'average', timezone: zone } as const;
  const window = { from: addDays(today, -descriptor.sync.rereadDays), to: today };
  const recent = { from: addDays(window.from, -7), to: today };
  const days = simulateDays({ ...person, worn: descriptor.deviceType }, recent, nowMs);
  const respond = respondAsProvider(getSimulator(provider), itemsOfDays(getSimulator(provider), days), { nowMs });
  return runRequestFlow(fetch.fetchWindow(makeFetchRequest(window, { nowMs, zone })), (request) =>
    respond(grant.authorizeRequest?.(request, makeGrantContext()) ?? request),
  ).requests.length;
}

test.each(cloudProviderIds.filter((id) => canBePolled(providerDescriptors[id])))(
  'a poll of %s takes as many requests as its descriptor says',
  (provider) => {
    const counts = Array.from({ length: 7 }, (_none, day) => countRequests(provider, addDays('2026-03-20', day)));
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(providerDescriptors[provider].sync.requestsPerPoll).toBe(Math.round(mean));
  },
);

/** Those whose pushes arrive, with one poll a day. */
function countPushedPeople(provider: CloudProviderId): number | undefined {
  const descriptor = providerDescriptors[provider];
  const { push, rateLimits, sync } = descriptor;
  const narrowest = findNarrowestLimit(rateLimits);
  if (!push || !narrowest || !canBePolled(descriptor)) return undefined;
  const { rows, intervalMs } = toProviderRate(narrowest);
  const requestsADay = (push.carriesData ? 0 : pushesADay * sync.requestsPerPoll) + sync.requestsPerPoll;
  return Math.min(Math.floor((rows * dayMs) / intervalMs / requestsADay), countPolledPeople(descriptor, 24 * 60));
}

const format = (count: number | undefined): string => (count === undefined ? '-' : count.toLocaleString('en-US'));

function renderRow(provider: CloudProviderId): string {
  const descriptor = providerDescriptors[provider];
  const { name, rateLimits, sync } = descriptor;
  const { requests = 0, seconds = 0 } = findNarrowestLimit(rateLimits) ?? {};
  const period = seconds === 86_400 ? 'a day' : seconds === 60 ? 'a minute' : `in ${seconds / 60} minutes`;
  const polled = (minutes: number) => (canBePolled(descriptor) ? countPolledPeople(descriptor, minutes) : undefined);
  const cells = [
    name,
    `${format(requests)} ${period}`,
    canBePolled(descriptor) ? format(sync.requestsPerPoll) : '-',
    ...[polled(15), polled(60), countPushedPeople(provider)].map(format),
  ];
  return `| ${cells.join(' | ')} |`;
}

test('the table of people per provider in infra/decisions.md follows from the descriptors', () => {
  const lines = readFileSync('infra/decisions.md', 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith('| provider | limit'));
  const rows = lines.slice(start + 2, lines.indexOf('', start));
  expect(rows).toEqual(cloudProviderIds.map(renderRow));
});

/** In percent of the requests that the provider allows. */
function computePollPercent(provider: CloudProviderId): { seconds: number; percent: number } {
  const { rateLimits } = providerDescriptors[provider];
  const narrowest = findNarrowestLimit(rateLimits);
  const limit = findPollLimit(provider, rateLimits);
  if (!narrowest || !limit) throw new Error(`${provider} has no limit for all users`);
  const { requests, seconds } = narrowest;
  return { seconds, percent: (100 * seconds * 1000) / limit.intervalMs / requests };
}

test('polls draw on no more of a limit than infra/decisions.md says', () => {
  const shares = cloudProviderIds.map((id) => ({ id, ...computePollPercent(id) }));
  for (const { percent } of shares) expect(percent).toBeLessThanOrEqual(100 * pollShare);
  const roundedOf = (isListed: (share: (typeof shares)[number]) => boolean) =>
    [...new Set(shares.filter(isListed).map(({ percent }) => Math.round(percent)))].join();
  const day = roundedOf(({ seconds }) => seconds === 86_400);
  const minute = roundedOf(({ id, seconds }) => seconds === 60 && id !== 'google_health');
  const google = roundedOf(({ id }) => id === 'google_health');
  expect(readFileSync('infra/decisions.md', 'utf8')).toContain(
    `Polls draw on up to ${day}% of the provider's limit (${minute}% of a limit per minute, ${google}% of Google Health's)`,
  );
});

/** Assumptions: a run takes this long, and the busiest hour has three times the average rate. */
const secondsPerRun = 2;
const peakFactor = 3;
const syncRuns = 300;
const runsPerUser = (runsADay: number): number => (runsADay * secondsPerRun * peakFactor) / 86_400;

function renderSyncCells(runsADay: number): string {
  const cells = [10_000, 100_000, 1_000_000, 10_000_000, 500_000].map((users) => {
    const percent = Math.round((100 * users * runsPerUser(runsADay)) / syncRuns);
    return percent > 100 ? `**${format(percent)}%**` : `${percent}%`;
  });
  return `| ${cells.join(' | ')} |`;
}

test('the rows about runs of sync in infra/decisions.md follow from the runs a day, with pushes and without', () => {
  const text = readFileSync('infra/decisions.md', 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| **`sync`**'));
  // `polls-over-time.test.ts` counts the runs without pushes.
  const [pushed, polled] = [pushesADay + 1, 78];
  expect(rows).toHaveLength(2);
  expect(rows[0]).toContain(`| ${pushed} runs a day of ${secondsPerRun} s ${renderSyncCells(pushed)}`);
  expect(rows[1]).toContain(`| ${polled} runs a day of ${secondsPerRun} s ${renderSyncCells(polled)}`);
  const served = (runsADay: number, runs: number) => format(Math.round(runs / runsPerUser(runsADay) / 1000) * 1000);
  for (const runs of [syncRuns, 1_000])
    expect(text).toContain(
      `(${served(pushed, runs)} users with a cloud connection whose pushes arrive, ${served(polled, runs)} where none do)`,
    );
});
