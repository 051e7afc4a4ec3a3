// A whole system whose functions are metered, with a clock of its own, providers on this machine and
// webhook endpoints that answer with a status of choice.
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
  /** What the work uses, until nothing is left to do. */
  measure(work: () => Promise<unknown>): Promise<Usage>;
  /** Lets the time pass with the schedules running once every so many minutes; what follows is worked off. */
  passMinutes(minutes: number, everyMinutes?: number): Promise<void>;
  /** The same, and what it used beyond schedules that find nothing. */
  measurePass(minutes: number, everyMinutes?: number): Promise<Usage>;
  /** What a run of every schedule finds to do now. */
  measureSchedules(): Promise<Usage>;
  /** An endpoint of the live environment that is sent every event. */
  addWebhook(status: number): Promise<Receiver>;
  /** Every row of the table. */
  rows(): Promise<Item[]>;
  request(method: string, path: string, body?: unknown): Promise<ApiResponse>;
}

const schedules = listByTrigger(functions, 'schedule');
const minuteMs = 60_000;
/** At midnight, so that a day can be lived through from its first hour on. */
export const startMs = Date.UTC(2026, 2, 12);

/** So that waits with a random part come out the same. */
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
  // Time passes when it is said to: a busy machine costs no more than an idle one.
  system.clock.freeze();
  const receivers: Receiver[] = [];

  async function measure(work: () => Promise<unknown>): Promise<Usage> {
    await system.host.drain();
    const before = metered.usage();
    await work();
    await system.host.drain();
    return combine(metered.usage(), before, -1);
  }

  async function runSchedules(): Promise<void> {
    for (const { name } of schedules) await system.host.runSchedule(name);
    await system.host.drain();
  }

  async function passMinutes(minutes: number, everyMinutes = minutes): Promise<void> {
    // A run that is under way would find that its time is over.
    await system.host.drain();
    for (let passed = 0; passed < minutes; passed += everyMinutes) {
      system.clock.advance(everyMinutes * minuteMs);
      await system.host.drain();
      await runSchedules();
    }
  }

  // Their first runs may have something to set up.
  await passMinutes(2, 1);
  const idle = scale(await measure(() => passMinutes(2, 1)), 1 / 2);

  async function request(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const response = await system.call(method, path, { token: key, ...(body === undefined ? {} : { body }) });
    if (response.status >= 300) throw new Error(`${method} ${path} was answered ${response.status}: ${response.text}`);
    return response;
  }

  return {
    ...providerSystem,
    measure,
    passMinutes,
    async measurePass(minutes, everyMinutes = minutes) {
      const used = await measure(() => passMinutes(minutes, everyMinutes));
      return combine(used, scale(idle, Math.ceil(minutes / everyMinutes)), -1);
    },
    measureSchedules: async () => combine(await measure(runSchedules), idle, -1),
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
