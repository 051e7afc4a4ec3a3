// A phone's first sync: years of history in a few simultaneous uploads, sent to a whole system in
// its own process, until every value is correct.
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPhone } from '../harness/phone.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { combine, type Usage } from './costs/usage.ts';
import { type Calls, type MeteredHost, startMeteredHost } from './metered-host.ts';
import {
  dayMs,
  type History,
  type HistoryShape,
  type MeasuredMetric,
  makeHistory,
  sampleCount,
  zone,
} from './phone-history.ts';

export interface FirstSync {
  samples: number;
  /** From the first request until everything is readable and correct. */
  seconds: number;
  /** Until the last upload was answered. */
  answeredSeconds: number;
  hostCpuSeconds: number;
  /** Undefined if the system does not report it. */
  engineCpuSeconds: number | undefined;
  /** The share of the machine that other processes used. If it is high, `seconds` is unreliable. */
  otherLoadShare: number;
  /** How far the host's peak memory exceeds its memory before the sync. */
  memoryGrowthBytes: number;
  calls: Calls;
  usage: Usage;
  /**
   * The number of days, by metric, whose value is not the rounded exact value but the sum of
   * individually rounded samples.
   */
  roundedEach: Partial<Record<MeasuredMetric, number>>;
}

const timeoutMs = 180_000;
const pollMs = 100;
const probeDays = 12;
const maxDaysPerRead = 366;

export async function measureFirstSync(shape: HistoryShape): Promise<FirstSync> {
  const history = makeHistory(shape, Math.floor((Date.now() + zone.offsetMs) / dayMs) * dayMs - dayMs);
  const host = await startMeteredHost();
  try {
    await syncHistory(host, makeHistory(warmUp, Date.UTC(2020, 5, 30)));
    const before = await host.readUsage();
    const { seconds, answeredSeconds, after, roundedEach } = await syncHistory(host, history);
    const oursSeconds = after.ownSeconds - before.ownSeconds;
    const machineSeconds = after.machineSeconds - before.machineSeconds;
    return {
      samples: sampleCount(shape),
      seconds,
      answeredSeconds,
      hostCpuSeconds: after.cpuSeconds - before.cpuSeconds,
      engineCpuSeconds:
        after.engineCpuSeconds === undefined ? undefined : after.engineCpuSeconds - (before.engineCpuSeconds ?? 0),
      otherLoadShare: Math.max(0, machineSeconds - oursSeconds) / (seconds * cpus().length),
      memoryGrowthBytes: Math.max(0, after.peakBytes - before.rssBytes),
      calls: callsSince(before.calls, after.calls),
      usage: combine(after.functions, before.functions, -1),
      roundedEach,
    };
  } finally {
    await host.stop();
  }
}

/** Loads every function before the measurement begins. */
const warmUp: HistoryShape = {
  days: 3,
  samples: { steps: 30, heart_rate: 30 },
  workouts: 1,
  traced: 1,
  uploads: 4,
  order: 'by day',
};

async function syncHistory(host: MeteredHost, history: History) {
  const userId = expectStatus(await host.call('POST', '/v1/users', { token: host.key, body: {} }), 201).body.id;
  const phone = await openPhone(host, host.key, userId);
  const user = `/v1/users/${userId}`;
  const start = performance.now();
  const secondsPassed = () => (performance.now() - start) / 1000;
  let answeredSeconds = 0;
  const uploads = Promise.all(
    history.uploads.map(async ({ body, records }) => {
      const headers = { 'content-encoding': 'gzip' };
      const response = await host.call('POST', '/v1/sdk/data', {
        ...{ token: phone.accessToken, raw: new Uint8Array(body), headers },
      });
      if (expectStatus(response, 202).body.accepted !== records)
        throw new Error(`not everything was accepted: ${response.text.slice(0, 500)}`);
      answeredSeconds = secondsPassed();
    }),
  );
  const waitUntilRight = async () => {
    await waitForProbes(host, user, history, start);
    for (;;) {
      const seconds = secondsPassed();
      const after = await host.readUsage();
      const { wrong, roundedEach } = await findWrongValue(host, user, history);
      if (wrong === undefined) return { seconds, after, roundedEach };
      if (seconds * 1000 > timeoutMs) throw new Error(`after ${timeoutMs / 1000} s: ${wrong}`);
      await sleep(pollMs);
    }
  };
  const [, result] = await Promise.all([uploads, waitUntilRight()]);
  return { ...result, answeredSeconds };
}

/** Returns when days across the history have their steps. Sends one cheap read at a time. */
async function waitForProbes(host: MeteredHost, user: string, history: History, start: number): Promise<void> {
  const steps = history.expected.get('steps') ?? [];
  const known = history.dates.flatMap((date, at) => (steps[at] ? [{ date, value: steps[at].exact }] : []));
  const every = Math.max(1, Math.floor(known.length / probeDays));
  for (const { date, value } of known.filter((_each, at) => at % every === 0))
    for (;;) {
      const path = `${user}/daily?types=steps&from_date=${date}&to_date=${date}`;
      const { body } = expectStatus(await host.call('GET', path, { token: host.key }), 200);
      if (body.series.steps?.[0] === value) break;
      // The full check reports what is missing.
      if (performance.now() - start > timeoutMs) return;
      await sleep(pollMs);
    }
}

/** Finds the first value that is not as expected. */
async function findWrongValue(host: MeteredHost, user: string, history: History) {
  const roundedEach: FirstSync['roundedEach'] = {};
  let wrong: string | undefined;
  for (let at = 0; at < history.dates.length; at += maxDaysPerRead) {
    const dates = history.dates.slice(at, at + maxDaysPerRead);
    const types = [...history.expected.keys()].join(',');
    const path = `${user}/daily?types=${types}&from_date=${dates[0]}&to_date=${dates.at(-1)}`;
    const { body } = expectStatus(await host.call('GET', path, { token: host.key }), 200);
    for (const [metric, days] of history.expected)
      for (const [day, date] of dates.entries()) {
        const value: unknown = body.series[metric]?.[day] ?? null;
        const expected = days[at + day] ?? null;
        if (value === (expected?.exact ?? null)) continue;
        if (metric !== 'steps' && value === expected?.roundedEach) roundedEach[metric] = (roundedEach[metric] ?? 0) + 1;
        else wrong ??= `${metric} of ${date} is ${value}, not ${expected?.exact ?? null}`;
      }
  }
  for (const kind of ['sleep', 'workouts'] as const) {
    if (wrong !== undefined) break;
    const count = await countSessions(host, `${user}/${kind}`, history.dates);
    const expected = kind === 'sleep' ? history.nights : history.workouts;
    if (count !== expected) wrong = `there are ${count} of ${expected} ${kind}`;
  }
  return { wrong, roundedEach };
}

async function countSessions(host: MeteredHost, path: string, dates: readonly string[]): Promise<number> {
  let count = 0;
  for (let at = 0; at < dates.length; at += maxDaysPerRead) {
    const [from, to] = [dates[at], dates[Math.min(at + maxDaysPerRead, dates.length) - 1]];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const pagePath = `${path}?from_date=${from}&to_date=${to}&limit=100${next}`;
      const page: ApiResponse['body'] = expectStatus(await host.call('GET', pagePath, { token: host.key }), 200).body;
      count += page.data.length;
      cursor = page.next_cursor;
    }
  }
  return count;
}

function expectStatus(response: ApiResponse, status: number): ApiResponse {
  if (response.status !== status)
    throw new Error(`expected ${status}, got ${response.status}: ${response.text.slice(0, 500)}`);
  return response;
}

function callsSince(before: Calls, after: Calls): Calls {
  const none = { calls: 0, readUnits: 0, writeUnits: 0 };
  return Object.fromEntries(
    Object.entries(after).map(([operation, now]) => {
      const { calls, readUnits, writeUnits } = before[operation] ?? none;
      return [
        operation,
        { calls: now.calls - calls, readUnits: now.readUnits - readUnits, writeUnits: now.writeUnits - writeUnits },
      ];
    }),
  );
}
