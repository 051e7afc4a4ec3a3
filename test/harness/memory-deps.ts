// The domain on an in-memory table, with a clock that advances with each reading. It records what
// is sent and logged, and can make a queue or the event bus fail.

import { makeDeps } from '../../functions/runtime/deps.ts';
import { type Bus, EngineUnavailable, type Table } from '../../shared/platform/ports.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { QueueName } from '../../shared/system/jobs.ts';
import { type TestClock, tickingClock } from './clock.ts';
import { type MemoryTable, memoryTable } from './memory-table.ts';
import type { LogLine } from './system.ts';

export interface MemoryDeps {
  table: MemoryTable;
  clock: TestClock;
  deps: Deps;
  /** Every call to the queue. */
  calls: { queue: string; bodies: unknown[] }[];
  log: LogLine[];
  /** Queues that reject every message. */
  unavailableQueues: Set<QueueName>;
  /** Everything that was sent to a queue, across all calls. */
  sentTo(queue: QueueName): unknown[];
  /** The same on another table, for fault injection. */
  withTable(table: Table): Deps;
  /** The same deployment, in which something happens before the first transaction. */
  interruptedBy(happening: () => Promise<unknown>): Deps;
}

export const memoryStartMs = Date.UTC(2026, 2, 10, 12);

export function memoryDeps({
  bus = { publish: async () => {} },
  table = memoryTable(),
}: {
  bus?: Bus;
  table?: MemoryTable;
} = {}): MemoryDeps {
  const clock = tickingClock(memoryStartMs);
  const calls: MemoryDeps['calls'] = [];
  const log: LogLine[] = [];
  const unavailableQueues = new Set<QueueName>();
  const enqueue = async (queue: QueueName, bodies: unknown[]) => {
    if (unavailableQueues.has(queue)) throw new EngineUnavailable(`the queue ${queue} is unavailable`);
    calls.push({ queue, bodies });
  };
  const withTable = (own: Table): Deps =>
    makeDeps({
      table: own,
      queue: { send: (queue, body) => enqueue(queue, [body]), sendAll: enqueue, postpone: async () => {} },
      bus,
      rootSecret: 'a root secret of more than 32 characters',
      clock,
      log: (level, message, fields = {}) => log.push({ level, message, fields }),
      deployment: { kind: 'local' },
    });
  return {
    table,
    clock,
    deps: withTable(table),
    calls,
    log,
    unavailableQueues,
    sentTo: (queue) => calls.filter((call) => call.queue === queue).flatMap(({ bodies }) => bodies),
    withTable,
    interruptedBy(happening) {
      let isOver = false;
      return withTable({
        ...table,
        async transact(writes) {
          if (!isOver) {
            isOver = true;
            await happening();
          }
          return table.transact(writes);
        },
      });
    },
  };
}
