// A whole system with metered functions, its own clock, simulated providers, and webhook endpoints
// that respond with a chosen status.
import { createHash } from 'node:crypto';
import { functions } from '../../../infra/functions.ts';
import { listByTrigger } from '../../../infra/local/function-runner.ts';
import type { Item, Random } from '../../../shared/platform/ports.ts';
import { type ProviderSystem, startProviderSystem } from '../../harness/provider-system.ts';
import { type Receiver, respond, startReceiver } from '../../harness/receiver.ts';
import { scanTable } from '../../harness/scan-table.ts';
import type { ApiResponse } from '../../harness/send-request.ts';
import { meterFunctions } from './metered-functions.ts';
import { combine, scale, type Usage } from './usage.ts';

export interface CostWorld extends ProviderSystem {
  /** Measures the usage of the work and of everything that follows from it. */
  measure(work: () => Promise<unknown>): Promise<Usage>;
  /**
   * Advances the clock, runs the schedules every `everyMinutes`, and drains the work that follows.
   */
  passMinutes(minutes: number, everyMinutes?: number): Promise<void>;
  /** Like `passMinutes`, and returns the usage in excess of idle schedules. */
  measurePass(minutes: number, everyMinutes?: number): Promise<Usage>;
  /** What the first run of the schedules in an hour costs an idle account more than any other. */
  hourStart: Usage;
  /** Runs every schedule once and returns the usage in excess of idle schedules. */
  measureSchedules(): Promise<Usage>;
  /** Registers an endpoint in the live environment that receives every event. */
  addWebhook(status: number): Promise<Receiver>;
  rows(): Promise<Item[]>;
  request(method: string, path: string, body?: unknown): Promise<ApiResponse>;
}

const schedules = listByTrigger(functions, 'schedule');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Midnight, so that a simulated day can begin with its first hour. */
export const startMs = Date.UTC(2026, 2, 12);

/** Makes waits with a random component reproducible. */
function deterministicRandom(): Random {
  let draws = 0;
  return { bytes: (count) => createHash('shake256', { outputLength: count }).update(`${draws++}`).digest() };
}

export async function openCostWorld(): Promise<CostWorld> {
  const metered = await meterFunctions();
  const providerSystem = await startProviderSystem({
    only: ['oura'],
    bundles: metered.bundles,
    startMs,
    random: deterministicRandom(),
  });
  const { system, key } = providerSystem;
  // Time passes only when the test advances it, so a busy machine costs no more than an idle one.
  system.clock.freeze();
  const receivers: Receiver[] = [];

  async function measure(work: () => Promise<unknown>): Promise<Usage> {
    await system.host.drain();
    const before = metered.usage();
    await work();
    await system.host.drain();
    return combine(metered.usage(), before, -1);
  }

  let [lastHour, hourStarts] = [0, 0];
  async function runSchedules(): Promise<void> {
    const hour = Math.floor(system.clock.now() / hourMs);
    if (hour !== lastHour) hourStarts += 1;
    lastHour = hour;
    for (const { name } of schedules) await system.host.runSchedule(name);
    await system.host.drain();
  }

  async function passMinutes(minutes: number, everyMinutes = minutes): Promise<void> {
    // A run in progress would find its deadline exceeded.
    await system.host.drain();
    for (let passed = 0; passed < minutes; passed += everyMinutes) {
      system.clock.advance(everyMinutes * minuteMs);
      await system.host.drain();
      await runSchedules();
    }
  }

  // The first runs may have setup to do.
  await passMinutes(2, 1);
  const idle = scale(await measure(() => passMinutes(2, 1)), 1 / 2);
  const hourStart = combine(await measure(() => passMinutes(60)), idle, -1);

  /** The usage in excess of what the same runs of idle schedules use. */
  async function measureExcess(work: () => Promise<unknown>, runs: number): Promise<Usage> {
    const startsBefore = hourStarts;
    const used = await measure(work);
    return combine(combine(used, scale(idle, runs), -1), scale(hourStart, hourStarts - startsBefore), -1);
  }

  async function request(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const response = await system.call(method, path, { token: key, ...(body === undefined ? {} : { body }) });
    if (response.status >= 300) throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`);
    return response;
  }

  return {
    ...providerSystem,
    measure,
    passMinutes,
    hourStart,
    measurePass: (minutes, everyMinutes = minutes) =>
      measureExcess(() => passMinutes(minutes, everyMinutes), Math.ceil(minutes / everyMinutes)),
    measureSchedules: () => measureExcess(runSchedules, 1),
    async addWebhook(status) {
      const receiver = await startReceiver();
      receivers.push(receiver);
      receiver.respondWith(respond(status));
      await request('POST', '/v1/webhooks', { url: receiver.url, events: ['*'] });
      return receiver;
    },
    rows: () => scanTable(metered.tableLocation()),
    request,
    async stop() {
      await providerSystem.stop();
      for (const receiver of receivers) await receiver.close();
      metered.remove();
    },
  };
}
