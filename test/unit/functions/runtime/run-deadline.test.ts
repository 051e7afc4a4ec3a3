// A run never writes what it has not begun to write by its deadline.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeDeps } from '../../../../functions/runtime/deps.ts';
import { lambda } from '../../../../functions/runtime/lambda.ts';
import {
  DeadlineExceeded,
  maxRunDurationMs,
  runWithDeadline,
  withWriteDeadline,
} from '../../../../functions/runtime/run-deadline.ts';
import { functions } from '../../../../infra/functions.ts';
import { tableBackoffMs, tableTimeoutMs } from '../../../../shared/platform/aws/client-config.ts';
import { defaultMaxAttempts, throttlingBackoffFactor } from '../../../../shared/platform/aws/retries.ts';
import { EngineUnavailable, type Table, type Write } from '../../../../shared/platform/ports.ts';
import { workerWriteDeadlineMs } from '../../../../shared/platform/write-deadline.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { frozenClock, type TestClock } from '../../../harness/clock.ts';
import { type MemoryTable, memoryTable } from '../../../harness/memory-table.ts';

const key = { pk: 'a', sk: 'b' };
const put = { kind: 'put', item: { ...key, v: 1 } } as const satisfies Write;
const writes: [string, (table: Table) => Promise<unknown>][] = [
  ['a write', (table) => table.write(put)],
  ['a transaction', (table) => table.transact([put])],
  ['a batch', (table) => table.batchWrite([put])],
];

let clock: TestClock;
let engine: MemoryTable;
let table: Table;
beforeEach(() => {
  clock = frozenClock();
  engine = memoryTable();
  table = withWriteDeadline(engine, clock);
});

describe.each(writes)('%s', (_name, write) => {
  test('is made before the deadline of the run', async () => {
    await runWithDeadline(clock, async () => {
      clock.advance(maxRunDurationMs - 1);
      await write(table);
    });
    expect(engine.has(key)).toBe(true);
  });

  test('is rejected after the deadline, also on another path of the same run', async () => {
    const late = async () => {
      await nextTurn();
      clock.advance(maxRunDurationMs);
      await write(table);
    };
    await expect(runWithDeadline(clock, () => Promise.all([late(), nextTurn()]))).rejects.toThrow(DeadlineExceeded);
    expect(engine.has(key)).toBe(false);
  });

  test('is made at any time outside of a run', async () => {
    clock.advance(10 * maxRunDurationMs);
    await write(table);
    expect(engine.has(key)).toBe(true);
  });

  test('is allowed in a run that began later', async () => {
    await runWithDeadline(clock, async () => clock.advance(maxRunDurationMs));
    await runWithDeadline(clock, async () => {
      clock.advance(maxRunDurationMs - 1);
      await write(table);
    });
    expect(engine.has(key)).toBe(true);
  });
});

test('a run past its deadline can still read', async () => {
  await engine.write(put);
  await runWithDeadline(clock, async () => {
    clock.advance(maxRunDurationMs);
    const params = { where: '#pk = :pk', values: { pk: key.pk } };
    expect(await table.get(key)).toMatchObject({ v: 1 });
    expect(await table.batchGet([key])).toHaveLength(1);
    expect((await table.query(params)).items).toHaveLength(1);
    expect((await table.queryAll(params).next()).value).toMatchObject({ v: 1 });
  });
});

test('an exceeded deadline is retried, as an unavailable engine is', () => {
  expect(new DeadlineExceeded('over')).toBeInstanceOf(EngineUnavailable);
});

test('every function writes to its table under a deadline', async () => {
  const deps: Deps = makeDeps({
    table: engine,
    queue: { send: async () => {}, sendAll: async () => {}, postpone: async () => {} },
    bus: { publish: async () => {} },
    rootSecret: undefined,
    clock,
    log: () => {},
    deployment: { kind: 'local' },
  });
  const handler = lambda(({ store }) => async (afterMs: number) => {
    clock.advance(afterMs);
    await store.commit([put]);
  }).build(deps);
  await expect(handler(maxRunDurationMs)).rejects.toThrow(DeadlineExceeded);
  expect(engine.has(key)).toBe(false);
  await handler(maxRunDurationMs - 1);
  expect(engine.has(key)).toBe(true);
});

/** The total wait between the attempts of one call. */
const maxWaitMs = throttlingBackoffFactor * tableBackoffMs * (2 ** (defaultMaxAttempts - 1) - 1);

test('no function may run past the deadline, and waiting for late writers takes longer than that', () => {
  const timeouts = Object.values(functions).map(({ timeoutSeconds }) => timeoutSeconds * 1000);
  expect(Math.max(...timeouts)).toBe(maxRunDurationMs);
  expect(workerWriteDeadlineMs).toBeGreaterThanOrEqual(
    maxRunDurationMs + defaultMaxAttempts * tableTimeoutMs + maxWaitMs + 5_000,
  );
});
