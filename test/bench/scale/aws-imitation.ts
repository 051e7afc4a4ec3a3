// The map as AWS runs it, in one process and in virtual time: functions run side by side, queues hand
// out batches, the stream comes in shards by partition key, and the bus brings events.

import type { Engines } from '../../../functions/runtime/deps.ts';
import { functions } from '../../../infra/functions.ts';
import { makeRouting } from '../../../infra/local/routing.ts';
import type { Bus, Courier, Letter, Log, SlotOptions } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import type { Asking, Told } from '../../harness/ask.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { type ChargedTableOptions, chargedTable } from './charged-table.ts';
import { type FunctionLoad, functionPool } from './function-pool.ts';
import { requestEvent, responseIn } from './http-call.ts';
import { queueNames, triggered } from './map-shape.ts';
import { queueImitation, type SendOptions } from './queue-imitation.ts';
import { streamImitation } from './stream-imitation.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What takes time, in milliseconds. */
export const latencies = { read: 4, write: 6, transaction: 20, send: 8, publish: 15, webhook: 80, bus: 50 } as const;

export interface AwsImitation {
  deps(): Promise<Deps>;
  call(method: string, path: string, request?: Asking): Promise<Told>;
  /** By the function's name. */
  loads(): Record<string, FunctionLoad>;
  /** How many messages waited at the same time, by queue. */
  depths(): Record<string, number>;
  resetLoads(): void;
  /** Those of the map that come by in this minute. */
  runSchedules(minute: number): void;
}

export interface ImitationOptions {
  time: VirtualTime;
  shards: number;
  charge: ChargedTableOptions['charge'];
  /** What a webhook was sent. */
  received(letter: Letter): void;
  /** Whether calls take their time now. */
  isTimed(): boolean;
  log: Log;
}

export function imitateAws({ time, shards, charge, received, isTimed, log }: ImitationOptions): AwsImitation {
  const wait = (milliseconds: number) => time.sleep(isTimed() ? milliseconds : 0);
  const pool = functionPool(time, (own) => ({ ...own, table, queue, bus, courier, clock: time, log }));
  const { run, loads } = pool;
  const parts = new Map(queueNames.map((name) => [name, queueImitation({ name, time, wait, run, log })]));
  const partOf = (name: string) => {
    const part = parts.get(name);
    if (!part) throw new Error(`the map has no queue ${name}`);
    return part;
  };
  const streams = triggered('stream').map(({ name, trigger }) =>
    streamImitation({ name, trigger, shards, time, wait, run, log }),
  );
  const table = chargedTable(memoryTable(), {
    time,
    isCharged: isTimed,
    charge,
    stream: (change) => {
      for (const stream of streams) stream.take(change);
    },
    latency: () => (isTimed() ? latencies : { read: 0, write: 0, transaction: 0 }),
  });
  const queue: Engines['queue'] = {
    async send(name: string, body: unknown, options?: SendOptions) {
      await wait(latencies.send);
      partOf(name).take(body, options);
    },
    async sendAll(name: string, bodies: unknown[], { slot }: SlotOptions = {}) {
      await wait(latencies.send);
      for (const [at, body] of bodies.entries()) {
        const own = typeof slot === 'string' ? slot : slot?.[at];
        partOf(name).take(body, own === undefined ? {} : { slot: own });
      }
    },
    ...{
      async postpone(name: string, receipt: string, seconds: number) {
        await wait(latencies.send);
        partOf(name).postpone(receipt, seconds);
      },
    },
  };
  const bus: Bus = {
    async publish(entries) {
      await wait(latencies.publish);
      for (const entry of entries) void time.track(bring(entry));
    },
  };
  const courier: Courier = {
    async post(letter) {
      await wait(latencies.webhook);
      received(letter);
      return { kind: 'answered', status: 200, body: '', retryAfter: undefined };
    },
  };

  /** To the queues and the functions that a rule names. */
  async function bring({ source, type, detail }: Parameters<Bus['publish']>[0][number]): Promise<void> {
    await wait(latencies.bus);
    for (const { trigger } of triggered('queue'))
      if (trigger.busTypes?.includes(type)) partOf(trigger.queue).take(detail);
    const event = { source, 'detail-type': type, detail: JSON.parse(JSON.stringify(detail)) };
    for (const { name, trigger } of triggered('bus'))
      if (trigger.types.length === 0 || trigger.types.includes(type)) void time.track(runUntilDone(name, event));
  }

  /** As Lambda tries what the bus brings. */
  async function runUntilDone(name: string, event: object): Promise<void> {
    for (let tries = 1; tries <= 3; tries++)
      try {
        await run(name, event);
        return;
      } catch (error) {
        log('warn', 'a bus event failed', { function: name, tries, error });
        await time.sleep(tries * 60_000);
      }
  }

  async function runSchedule(name: string): Promise<void> {
    try {
      await run(name, {});
    } catch (error) {
      log('error', 'a schedule failed', { function: name, error });
    }
  }

  const route = makeRouting(functions);
  return {
    deps: pool.deps,
    async call(method, path, request) {
      const match = route(new URL(path, 'http://test').pathname);
      if (!match) throw new Error(`nobody answers ${path}`);
      return responseIn(await time.track(run(match.functionName, requestEvent(method, path, request))));
    },
    loads: () => structuredClone(loads),
    depths: () => Object.fromEntries(Array.from(parts, ([name, part]) => [name, part.maxWaiting()])),
    resetLoads() {
      for (const name of Object.keys(loads)) delete loads[name];
      for (const part of parts.values()) part.reset();
    },
    runSchedules(minute) {
      for (const { name, trigger } of triggered('schedule'))
        if (minute % trigger.everyMinutes === 0) void time.track(runSchedule(name));
    },
  };
}
