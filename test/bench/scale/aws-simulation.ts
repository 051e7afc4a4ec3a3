// The function manifest as AWS runs it, in one process and in virtual time: functions run
// concurrently, queues deliver batches, the stream is sharded by partition key, and the event bus
// delivers events.

import type { Engines } from '../../../functions/runtime/deps.ts';
import { functions } from '../../../infra/functions.ts';
import { createRouter } from '../../../infra/local/router.ts';
import type { Bus, DeduplicationOptions, WebhookClient, WebhookRequest } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { buildHttpEvent, parseHttpResult } from '../../harness/http-events.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import type { ApiResponse, RequestOptions } from '../../harness/send-request.ts';
import { type ChargedTableOptions, chargedTable } from './charged-table.ts';
import { type FunctionLoad, functionPool } from './function-pool.ts';
import { functionsWithTrigger, queueNames } from './manifest-triggers.ts';
import { type SendOptions, type SimulationLog, simulatedQueue } from './simulated-queue.ts';
import { simulatedStream } from './simulated-stream.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Latencies in milliseconds. */
export const latencies = { read: 4, write: 6, transaction: 20, send: 8, publish: 15, webhook: 80, bus: 50 } as const;

export interface AwsSimulation {
  deps(): Promise<Deps>;
  call(method: string, path: string, request?: RequestOptions): Promise<ApiResponse>;
  /** Keyed by function name. */
  loads(): Record<string, FunctionLoad>;
  /** The maximum number of messages that waited at the same time, by queue. */
  depths(): Record<string, number>;
  resetLoads(): void;
  /** Runs the schedules of the manifest that are due in this minute. */
  runSchedules(minute: number): void;
}

export interface SimulationOptions {
  time: VirtualTime;
  shards: number;
  charge: ChargedTableOptions['charge'];
  /** Called with each webhook request. */
  onWebhook(webhookRequest: WebhookRequest): void;
  /** Whether calls have a latency now. */
  isTimed(): boolean;
  log: SimulationLog;
}

export function simulateAws({ time, shards, charge, onWebhook, isTimed, log }: SimulationOptions): AwsSimulation {
  const wait = (milliseconds: number) => time.sleep(isTimed() ? milliseconds : 0);
  const pool = functionPool(time, (own) => ({
    ...own,
    table,
    queue,
    bus,
    webhookClient: webhookClient,
    clock: time,
    log,
  }));
  const { run, loads } = pool;
  const simulatedQueues = new Map(queueNames.map((name) => [name, simulatedQueue({ name, time, wait, run, log })]));
  const findQueue = (name: string) => {
    const simulated = simulatedQueues.get(name);
    if (!simulated) throw new Error(`the function manifest has no queue ${name}`);
    return simulated;
  };
  const streams = functionsWithTrigger('stream').map(({ name, trigger }) =>
    simulatedStream({ name, trigger, shards, time, wait, run, log }),
  );
  const table = chargedTable(memoryTable(), {
    time,
    isCharged: isTimed,
    charge,
    stream: (change) => {
      for (const stream of streams) stream.push(change);
    },
    latency: () => (isTimed() ? latencies : { read: 0, write: 0, transaction: 0 }),
  });
  const queue: Engines['queue'] = {
    async send(name: string, body: unknown, options?: SendOptions) {
      await wait(latencies.send);
      findQueue(name).send(body, options);
    },
    async sendAll(name: string, bodies: unknown[], { deduplicationKey: slot }: DeduplicationOptions = {}) {
      await wait(latencies.send);
      for (const [at, body] of bodies.entries()) {
        const own = typeof slot === 'string' ? slot : slot?.[at];
        findQueue(name).send(body, own === undefined ? {} : { slot: own });
      }
    },
    ...{
      async postpone(name: string, receipt: string, seconds: number) {
        await wait(latencies.send);
        findQueue(name).postpone(receipt, seconds);
      },
    },
  };
  const bus: Bus = {
    async publish(entries) {
      await wait(latencies.publish);
      for (const entry of entries) void time.track(deliver(entry));
    },
  };
  const webhookClient: WebhookClient = {
    async post(webhookRequest) {
      await wait(latencies.webhook);
      onWebhook(webhookRequest);
      return { kind: 'answered', status: 200, body: '', retryAfter: undefined };
    },
  };

  /** Delivers to the queues and functions that a rule targets. */
  async function deliver({ source, type, detail }: Parameters<Bus['publish']>[0][number]): Promise<void> {
    await wait(latencies.bus);
    for (const { trigger } of functionsWithTrigger('queue'))
      if (trigger.busTypes?.includes(type)) findQueue(trigger.queue).send(detail);
    const event = { source, 'detail-type': type, detail: JSON.parse(JSON.stringify(detail)) };
    for (const { name, trigger } of functionsWithTrigger('bus'))
      if (trigger.types.length === 0 || trigger.types.includes(type)) void time.track(runUntilDone(name, event));
  }

  /** Retries as Lambda does for asynchronous invocations. */
  async function runUntilDone(name: string, event: object): Promise<void> {
    for (let tries = 1; tries <= 3; tries++)
      try {
        await run(name, event);
        return;
      } catch (error) {
        log('warn', 'bus_delivery_failed', { function: name, attempts: tries, cause: error });
        await time.sleep(tries * 60_000);
      }
  }

  async function runSchedule(name: string): Promise<void> {
    try {
      await run(name, {});
    } catch (error) {
      log('error', 'schedule_failed', { function: name, cause: error });
    }
  }

  const route = createRouter(functions);
  return {
    deps: pool.deps,
    async call(method, path, request) {
      const match = route(new URL(path, 'http://test').pathname);
      if (!match) throw new Error(`no function handles ${path}`);
      return parseHttpResult(
        await time.track(run(match.functionName, buildHttpEvent(method, path, request ?? {}, 'scale'))),
      );
    },
    loads: () => structuredClone(loads),
    depths: () =>
      Object.fromEntries(Array.from(simulatedQueues, ([name, simulated]) => [name, simulated.maxWaiting()])),
    resetLoads() {
      for (const name of Object.keys(loads)) delete loads[name];
      for (const simulated of simulatedQueues.values()) simulated.reset();
    },
    runSchedules(minute) {
      for (const { name, trigger } of functionsWithTrigger('schedule'))
        if (minute % trigger.everyMinutes === 0) void time.track(runSchedule(name));
    },
  };
}
