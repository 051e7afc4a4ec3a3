// The domain over a table in memory, with a clock that moves by its readings: what it sends and
// logs is kept, and a queue or the bus can be made to fail.

import { makeDeps } from '../../functions/runtime/deps.ts';
import { type Bus, EngineUnavailable, type Table } from '../../shared/platform/ports.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { QueueName } from '../../shared/system/jobs.ts';
import { movingClock, type TestClock } from './clock.ts';
import { type MemoryTable, memoryTable } from './memory-table.ts';
import type { LogLine } from './system.ts';

export interface MemoryDeps {
  table: MemoryTable;
  clock: TestClock;
  deps: Deps;
  /** Each call of the queue. */
  calls: { queue: string; bodies: unknown[] }[];
  log: LogLine[];
  /** Queues that take nothing. */
  closed: Set<QueueName>;
  /** What was sent to a queue, over all calls. */
  sentTo(queue: QueueName): unknown[];
  /** The same over a table of one's own making, for faults. */
  over(table: Table): Deps;
}

export const memoryStartMs = Date.UTC(2026, 2, 10, 12);

export function memoryDeps({
  bus = { publish: async () => {} },
  table = memoryTable(),
}: {
  bus?: Bus;
  table?: MemoryTable;
} = {}): MemoryDeps {
  const clock = movingClock(memoryStartMs);
  const calls: MemoryDeps['calls'] = [];
  const log: LogLine[] = [];
  const closed = new Set<QueueName>();
  const take = async (queue: QueueName, bodies: unknown[]) => {
    if (closed.has(queue)) throw new EngineUnavailable(`the queue ${queue} is away`);
    calls.push({ queue, bodies });
  };
  const over = (own: Table): Deps =>
    makeDeps({
      table: own,
      queue: { send: (queue, body) => take(queue, [body]), sendAll: take, postpone: async () => {} },
      bus,
      rootSecret: 'a root secret of more than 32 characters',
      clock,
      log: (level, message, fields = {}) => log.push({ level, message, fields }),
      place: { kind: 'local' },
    });
  return {
    table,
    clock,
    deps: over(table),
    calls,
    log,
    closed,
    sentTo: (queue) => calls.filter((call) => call.queue === queue).flatMap(({ bodies }) => bodies),
    over,
  };
}
