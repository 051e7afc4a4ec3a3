// The built functions, each counting what it uses: its runs, its table calls and units, and what it
// sends. A host loads them in place of the bundles, so nothing in the product knows of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { logLine } from '../../../functions/runtime/log.ts';
import { builtFunctions } from '../../../infra/build/built-functions.ts';
import { functions } from '../../../infra/functions.ts';
import type { HandlerModule, Invocation } from '../../../infra/local/function-runner.ts';
import { type EnvironmentVariables, endpointVariables } from '../../../shared/platform/aws/connection.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { settingNames } from '../../../shared/platform/settings.ts';
import { logBytes } from './prices.ts';
import { chunksOf, type KnownQueues, knownQueues, queueIn, requestsFor } from './queue-requests.ts';
import type { Counted, Usage } from './usage.ts';

export interface MeteredFunctions {
  bundles: ReadonlyMap<string, string>;
  /** So far. */
  usage(): Usage;
  /** Where the functions find their table; known from the first run on. */
  tableAt(): { endpoint: string; tableName: string };
  remove(): void;
}

type Count = (what: Counted, amount: number) => void;
type Wrap = (name: string, handler: HandlerModule) => HandlerModule;

/** Bundles are loaded by `require`, so they find their meter by a name that is known everywhere. */
const registry: Map<string, Wrap> = new Map();
const registryName = 'daybook bench meters';
Object.assign(globalThis, { [Symbol.for(registryName)]: registry });

export async function meterFunctions(): Promise<MeteredFunctions> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-metered-'));
  const counted: Usage = {};
  const queues = knownQueues();
  let env: EnvironmentVariables = {};
  registry.set(folder, (name, handler) => {
    counted[name] ??= {};
    const counts = counted[name];
    const { build, hosted } = meterHandler(handler, queues, (what, amount) => {
      counts[what] = (counts[what] ?? 0) + amount;
    });
    const remembering: HandlerModule['hosted'] = (surroundings) => {
      env = surroundings.env;
      return hosted(surroundings);
    };
    // A host asks for a function that has both.
    return Object.assign(async () => {}, { build, hosted: remembering });
  });
  const built = await builtFunctions();
  const bundles = new Map(
    Object.entries(functions).map(([name, { entry }]) => {
      const file = path.join(folder, `${name}.cjs`);
      const meter = `globalThis[Symbol.for(${JSON.stringify(registryName)})].get(${JSON.stringify(folder)})`;
      const bundle = `require(${JSON.stringify(built.get(entry))}).handler`;
      writeFileSync(file, `exports.handler = ${meter}(${JSON.stringify(name)}, ${bundle});\n`);
      return [entry, file];
    }),
  );
  return {
    bundles,
    usage: () => structuredClone(counted),
    tableAt: () => ({
      endpoint: env[endpointVariables.dynamodb] ?? '',
      tableName: env[settingNames.table] ?? '',
    }),
    remove() {
      registry.delete(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As far as a batch of a queue says it of itself. */
interface QueueEvent {
  Records: { eventSource?: string; eventSourceARN?: string }[];
}
const isBatch = (event: unknown): event is QueueEvent =>
  typeof event === 'object' && event !== null && 'Records' in event && Array.isArray(event.Records);

function meterHandler(handler: HandlerModule, queues: KnownQueues, count: Count): HandlerModule {
  const { requestsTo } = queues;
  const hosted: HandlerModule['hosted'] = async (surroundings) => {
    const run = await handler.hosted({
      ...surroundings,
      meter(call) {
        surroundings.meter?.(call);
        count('tableCalls', 1);
        count('readUnits', call.readUnits);
        count('writeUnits', call.writeUnits);
      },
      around(own) {
        const engines = surroundings.around?.(own) ?? own;
        const log = engines.log ?? (() => {});
        return {
          ...engines,
          table: countRefusals(engines.table, count),
          queue: countCalls(engines.queue, (method, queue, sent) => {
            // Others than sends say something of a message that has come.
            const messages = !method.startsWith('send') ? [] : Array.isArray(sent) ? sent : [sent];
            queues.sent(String(queue), messages.length);
            count('sentMessages', messages.length);
            count(requestsTo(String(queue)), Math.max(1, requestsFor(messages)));
          }),
          bus: countCalls(engines.bus, (_method, entries) => count('busEntries', chunksOf(entries))),
          log(...line) {
            count('logBytes', Buffer.byteLength(logLine(...line)) + logBytes.line);
            log(...line);
          },
        };
      },
    });
    const metered: Invocation = async (event) => {
      count('runs', 1);
      count('logBytes', logBytes.run);
      const [first] = isBatch(event) ? event.Records : [];
      if (isBatch(event) && first?.eventSource === 'aws:sqs') {
        const { name, isFifo } = queueIn(first.eventSourceARN ?? '');
        const unsent = queues.received(name, event.Records.length, isFifo);
        count('messages', event.Records.length);
        // One receives the batch, one deletes it.
        count(requestsTo(name), 2 + unsent);
      }
      return run(event);
    };
    return metered;
  };
  return { build: handler.build, hosted };
}

/** Every method of an engine, whatever it is called, as soon as it was accepted. */
function countCalls<T extends object>(engine: T, counted: (method: string, ...given: unknown[]) => void): T {
  return new Proxy(engine, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return async (...given: unknown[]) => {
        const result: unknown = await method.apply(target, given);
        counted(String(name), ...given);
        return result;
      };
    },
  });
}

/** A condition that does not hold is charged as a write; in a transaction each write is, twice. */
function countRefusals(table: Table, count: Count): Table {
  const counting = async <T>(units: number, made: Promise<T>): Promise<T> => {
    try {
      return await made;
    } catch (error) {
      // The bundles have classes of their own, so the error is known by what it carries.
      if (error instanceof Error && ('item' in error || 'failed' in error)) count('refusedUnits', units);
      throw error;
    }
  };
  return {
    ...table,
    write: (write) => counting(1, table.write(write)),
    transact: (writes) => counting(2 * writes.length, table.transact(writes)),
  };
}
