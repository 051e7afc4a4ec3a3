// The map as AWS runs it, in one process and in virtual time: functions run side by side, each in an
// instance of its own, queues hand out batches, and the stream comes in shards by partition key.
import { functions, queues } from '../../../infra/functions.ts';
import { functionEnvironment } from '../../../infra/local/function-environment.ts';
import {
  type HostedFunctions,
  type Invocation,
  loadHandler,
  triggeredBy,
} from '../../../infra/local/function-runner.ts';
import { makeRouting } from '../../../infra/local/routing.ts';
import type { Bus, Letter, Log, Queue, Table } from '../../../shared/engine/ports.ts';
import { type Engines, makeDeps } from '../../../shared/runtime/deps.ts';
import type { Asking, Told } from '../../harness/ask.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { type ChargedTableOptions, chargedTable } from './charged-table.ts';
import { requestEvent, responseIn } from './http-call.ts';
import { queueImitation } from './queue-imitation.ts';
import { streamImitation } from './stream-imitation.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What takes time, in milliseconds. */
export const latencies = { read: 4, write: 6, transaction: 20, send: 8, publish: 15, webhook: 80, bus: 50 } as const;

export interface FunctionLoad {
  runs: number;
  failures: number;
  /** At the same time. */
  maxAtOnce: number;
  longestMs: number;
}

export interface AwsImitation {
  /** With every grant; what it does is not charged to anybody. */
  deps: ReturnType<typeof makeDeps>;
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

const hosted: HostedFunctions = functions;
const rootSecret = 'a root secret of more than 32 characters';

export function imitateAws({ time, shards, charge, received, isTimed, log }: ImitationOptions): AwsImitation {
  const wait = (milliseconds: number) => time.sleep(isTimed() ? milliseconds : 0);
  const loads: Record<string, FunctionLoad> = {};
  const idle = new Map<string, Invocation[]>();
  const running = new Map<string, number>();
  const memory = memoryTable();
  const queueParts = new Map(
    Object.keys(queues).map((name) => [name, queueImitation({ name, time, wait, hosted, run, log })]),
  );
  const streams = triggeredBy(hosted, 'stream').map(({ name, trigger }) =>
    streamImitation({ name, trigger, shards, time, wait, run, log }),
  );
  const table: Table = chargedTable(memory, {
    time,
    charge,
    stream: (change) => {
      for (const stream of streams) stream.take(change);
    },
    latency: () => (isTimed() ? latencies : { read: 0, write: 0, transaction: 0 }),
  });
  const partOf = (queue: string) => {
    const part = queueParts.get(queue);
    if (!part) throw new Error(`the map has no queue ${queue}`);
    return part;
  };
  const queue: Queue = {
    async send(name, body, options) {
      await wait(latencies.send);
      partOf(name).take(body, options);
    },
    async sendAll(name, bodies) {
      await wait(latencies.send);
      for (const body of bodies) partOf(name).take(body);
    },
  };
  const bus: Bus = {
    async publish(entries) {
      await wait(latencies.publish);
      for (const { source, type, detail } of entries)
        for (const { name, trigger } of triggeredBy(hosted, 'bus'))
          if (trigger.types.length === 0 || trigger.types.includes(type)) {
            const event = { source, 'detail-type': type, detail: JSON.parse(JSON.stringify(detail)) };
            void time.track(wait(latencies.bus).then(() => runUntilDone(name, event)));
          }
    },
  };
  const engines = (own: Engines): Engines => ({
    ...own,
    table,
    queue,
    bus,
    clock: time,
    log,
    courier: {
      async post(letter) {
        await wait(latencies.webhook);
        received(letter);
        return { kind: 'answered', status: 200, body: '', retryAfter: undefined };
      },
    },
  });

  async function instanceOf(name: string): Promise<Invocation> {
    const free = idle.get(name)?.pop();
    if (free) return free;
    const spec = hosted[name];
    if (!spec) throw new Error(`the map has no function ${name}`);
    // From the sources: the engines here throw the errors that the sources know.
    const handler = await loadHandler(spec.entry);
    const nowhere = 'http://127.0.0.1:9';
    const host = {
      ...{ base_url: nowhere, table_endpoint: nowhere, queue_endpoint: nowhere, bus_endpoint: nowhere },
      ...{ table_name: 'daybook', queue_urls: Object.fromEntries(Object.keys(queues).map((each) => [each, nowhere])) },
    };
    return handler.hosted({ env: functionEnvironment(spec, { host, rootSecret, env: {} }), around: engines });
  }

  async function run(name: string, event: unknown): Promise<unknown> {
    loads[name] ??= { runs: 0, failures: 0, maxAtOnce: 0, longestMs: 0 };
    const load = loads[name];
    const atOnce = (running.get(name) ?? 0) + 1;
    running.set(name, atOnce);
    load.runs++;
    load.maxAtOnce = Math.max(load.maxAtOnce, atOnce);
    const startMs = time.now();
    try {
      const invoke = await instanceOf(name);
      const result = await invoke(event);
      idle.set(name, [...(idle.get(name) ?? []), invoke]);
      return result;
    } catch (error) {
      load.failures++;
      throw error;
    } finally {
      running.set(name, (running.get(name) ?? 1) - 1);
      load.longestMs = Math.max(load.longestMs, time.now() - startMs);
    }
  }

  /** As Lambda tries what the bus brings. */
  async function runUntilDone(name: string, event: unknown): Promise<void> {
    for (let tries = 1; tries <= 3; tries++)
      try {
        await run(name, event);
        return;
      } catch (error) {
        log('warn', 'a bus event failed', { function: name, tries, error });
        await time.sleep(tries * 60_000);
      }
  }

  const route = makeRouting(hosted);
  return {
    deps: makeDeps({
      table: memory,
      queue,
      bus,
      rootSecret,
      clock: time,
      log,
      place: { kind: 'local' },
    }),
    async call(method, path, request) {
      const match = route(new URL(path, 'http://test').pathname);
      if (!match) throw new Error(`nobody answers ${path}`);
      const result = await time.track(run(match.functionName, requestEvent(method, path, request)));
      return responseIn(result);
    },
    loads: () => structuredClone(loads),
    depths: () => Object.fromEntries(Array.from(queueParts, ([name, part]) => [name, part.maxWaiting()])),
    resetLoads() {
      for (const name of Object.keys(loads)) delete loads[name];
      for (const part of queueParts.values()) part.reset();
    },
    runSchedules(minute) {
      for (const { name, trigger } of triggeredBy(hosted, 'schedule'))
        if (minute % trigger.everyMinutes === 0)
          void time.track(run(name, {}).catch((error) => log('error', 'a schedule failed', { function: name, error })));
    },
  };
}
