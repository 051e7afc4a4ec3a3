// The built functions, instrumented to count what they use: runs, table calls and units, and
// messages sent. A host loads them instead of the bundles, so the product does not know about the
// metering.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatLogLine } from '../../../functions/runtime/log.ts';
import { loadBuiltFunctions } from '../../../infra/build/built-functions.ts';
import { functions } from '../../../infra/functions.ts';
import type { HandlerModule, Invocation } from '../../../infra/local/function-runner.ts';
import { type EnvironmentVariables, endpointVariables } from '../../../shared/platform/aws/connection.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { settingNames } from '../../../shared/platform/setting-names.ts';
import { logBytes } from './prices.ts';
import { countChunks, countRequests, parseQueueArn, type QueueCounter, queueCounter } from './queue-requests.ts';
import type { Counter, Usage } from './usage.ts';

export interface MeteredFunctions {
  bundles: ReadonlyMap<string, string>;
  /** The usage so far. */
  usage(): Usage;
  /** Where the functions find their table. Known after the first run. */
  tableLocation(): { endpoint: string; tableName: string };
  remove(): void;
}

type Count = (what: Counter, amount: number) => void;
type Wrap = (name: string, handler: HandlerModule) => HandlerModule;

/** Bundles are loaded with `require`, so they find their meter under a global symbol. */
const registry: Map<string, Wrap> = new Map();
const registryName = 'daybook bench meters';
Object.assign(globalThis, { [Symbol.for(registryName)]: registry });

export async function meterFunctions(): Promise<MeteredFunctions> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-metered-'));
  const usageByFunction: Usage = {};
  const queues = queueCounter();
  let env: EnvironmentVariables = {};
  registry.set(folder, (name, handler) => {
    usageByFunction[name] ??= {};
    const counts = usageByFunction[name];
    const { build, buildHosted } = meterHandler(handler, queues, (what, amount) => {
      counts[what] = (counts[what] ?? 0) + amount;
    });
    const rememberEnvironment: HandlerModule['buildHosted'] = (surroundings) => {
      env = surroundings.env;
      return buildHosted(surroundings);
    };
    // The host expects a function that has both properties.
    return Object.assign(async () => {}, { build, buildHosted: rememberEnvironment });
  });
  const built = await loadBuiltFunctions();
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
    usage: () => structuredClone(usageByFunction),
    tableLocation: () => ({
      endpoint: env[endpointVariables.dynamodb] ?? '',
      tableName: env[settingNames.table] ?? '',
    }),
    remove() {
      registry.delete(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The part of a queue batch that identifies its queue. */
interface QueueEvent {
  Records: { eventSource?: string; eventSourceARN?: string }[];
}
const isBatch = (event: unknown): event is QueueEvent =>
  typeof event === 'object' && event !== null && 'Records' in event && Array.isArray(event.Records);

function meterHandler(handler: HandlerModule, queues: QueueCounter, count: Count): HandlerModule {
  const { requestKind: requestsTo } = queues;
  const buildHosted: HandlerModule['buildHosted'] = async (surroundings) => {
    const run = await handler.buildHosted({
      ...surroundings,
      meter(call) {
        surroundings.meter?.(call);
        count('tableCalls', 1);
        count('readUnits', call.readUnits);
        count('writeUnits', call.writeUnits);
      },
      wrapEngines(own) {
        const engines = surroundings.wrapEngines?.(own) ?? own;
        const log = engines.log ?? (() => {});
        return {
          ...engines,
          table: countRefusals(engines.table, count),
          queue: countCalls(engines.queue, (method, queue, sent) => {
            // Methods other than sends refer to a message that was already received.
            const messages = !method.startsWith('send') ? [] : Array.isArray(sent) ? sent : [sent];
            queues.recordSent(String(queue), messages.length);
            count('sentMessages', messages.length);
            count(requestsTo(String(queue)), Math.max(1, countRequests(messages)));
          }),
          bus: countCalls(engines.bus, (_method, entries) => count('busEntries', countChunks(entries))),
          log(...line) {
            count('logBytes', Buffer.byteLength(formatLogLine(...line)) + logBytes.line);
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
        const { name, isFifo } = parseQueueArn(first.eventSourceARN ?? '');
        const unsent = queues.recordReceived(name, event.Records.length, isFifo);
        count('messages', event.Records.length);
        // One request receives the batch and one deletes it.
        count(requestsTo(name), 2 + unsent);
      }
      return run(event);
    };
    return metered;
  };
  return { build: handler.build, buildHosted };
}

/** Counts every method call of an engine once it succeeds. */
function countCalls<T extends object>(engine: T, usageByFunction: (method: string, ...args: unknown[]) => void): T {
  return new Proxy(engine, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        const result: unknown = await method.apply(target, args);
        usageByFunction(String(name), ...args);
        return result;
      };
    },
  });
}

/**
 * A failed condition is charged as a write. In a failed transaction, each write is charged twice.
 */
function countRefusals(table: Table, count: Count): Table {
  const countFailure = async <T>(units: number, pendingCall: Promise<T>): Promise<T> => {
    try {
      return await pendingCall;
    } catch (error) {
      // Each bundle has its own copy of the error classes, so the error is recognized by its
      // properties.
      if (error instanceof Error && ('item' in error || 'failed' in error)) count('refusedUnits', units);
      throw error;
    }
  };
  return {
    ...table,
    write: (write) => countFailure(1, table.write(write)),
    transact: (writes) => countFailure(2 * writes.length, table.transact(writes)),
  };
}
