import { beforeEach, describe, expect, test } from 'vitest';
import { userWorker } from '../../../functions/workers/write-user.ts';
import { patchConfiguration } from '../../../shared/consolidation/configuration.ts';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { createRacedUser, type RacedUser, type TestDevice } from '../../harness/raced-user.ts';
import { runWriter } from '../../harness/run-writer.ts';

const watch: TestDevice = { provider: 'apple_health', name: 'Watch', model: 'W1', type: 'wrist' };
const phone: TestDevice = { provider: 'samsung_health', name: 'Phone', model: 'P1', type: 'phone' };

const dateAt = (dayIndex: number): string => addDays('2025-06-01', dayIndex);
const steps = (dayIndex: number, time: string, value: number, utc_offset: string) => ({
  metric: 'steps',
  start: `${dateAt(dayIndex)}T${time}:00Z`,
  end: `${dateAt(dayIndex)}T${time}:30Z`,
  value,
  unit: 'count',
  utc_offset,
});

/**
 * A rebuild processes 200 days per step: days 198 to 201 lie on both sides of the boundary, and
 * pairs of them cover the same hours.
 */
const days = 205;
const everyday = Array.from({ length: days }, (_none, dayIndex) => steps(dayIndex, '05:00', 100 + dayIndex, '+00:00'));
const phoneSteps = [steps(200, '11:00', 5_000, '-12:00'), steps(199, '11:00', 5_000, '+14:00')];
const watchSteps = [steps(200, '11:00', 7, '+14:00'), steps(199, '11:00', 7, '-12:00')];

const expected = (around: readonly number[]): number[] =>
  everyday.map(({ value }, dayIndex) => around[dayIndex - 198] ?? value);
const highestRanked = expected([7, 5_299, 5_300, 7]);
const merged = expected([305, 299, 300, 308]);
const largest = expected([298, 5_299, 5_300, 301]);

let user: RacedUser;
beforeEach(async () => {
  user = await createRacedUser(memoryTable(), null);
  await setMethod('priority');
  await user.upload(phone, { samples: [...everyday, ...phoneSteps] });
  await user.upload(watch, { samples: watchSteps });
  await user.settle();
});

const setMethod = (method: 'priority' | 'max' | null) =>
  patchConfiguration(user.deps, user.caller, user.id, { metrics: { steps: { method } } });

async function readAllSteps(): Promise<(number | undefined)[]> {
  const values: (number | undefined)[] = [];
  for await (const { packed } of dayRows(user.deps.store).iterateCanonical(user.id, '0000', '9999'))
    values.push(decodeCanonicalDay(packed).get('steps')?.value);
  return values;
}

/** Calls `action` before the n-th canonical day is written. */
function beforeDay(count: number, action: () => Promise<void>): Table {
  let written = 0;
  return {
    ...user.table,
    async write(write) {
      if (write.kind === 'put' && write.item.sk.startsWith('D#') && ++written === count) await action();
      return user.table.write(write);
    },
  };
}
/** Each reading of the clock advances it by `stepMs`. */
const steppingClock = (stepMs: number): Deps['clock'] => {
  let now = user.deps.clock.now();
  return {
    now: () => {
      now += stepMs;
      return now;
    },
  };
};
const crashAtDay = (count: number) => beforeDay(count, () => Promise.reject(new Error('killed')));
const rebuild = (table: Table) => runWriter(user.withTable(table, false), user.id);

describe('a rebuild of several steps', () => {
  test('starts from days of the highest-ranked device', async () => {
    expect(await readAllSteps()).toEqual(highestRanked);
  });

  test('sees the adjacent days on both sides of a step boundary', async () => {
    await setMethod(null);
    await rebuild(user.table);
    expect(await readAllSteps()).toEqual(merged);
  });

  test('that crashes in a step is completed by the next run', async () => {
    await setMethod(null);
    await expect(rebuild(crashAtDay(3))).rejects.toThrow('killed');
    await rebuild(user.table);
    expect(await readAllSteps()).toEqual(merged);
  });

  test('stops after a step when its time is up, and the next run continues there', async () => {
    await setMethod(null);
    const slow = { ...user.withTable(user.table, false), clock: steppingClock(11_000) };
    await runWriter(slow, user.id);
    const [command] = await pendingCommands(user.table, user.id);
    expect(command).toMatchObject({ kind: 'rebuild', cursor: { through: dateAt(199) } });
    expect((await readAllSteps()).slice(0, 200)).toEqual(merged.slice(0, 200));
    expect((await readAllSteps()).slice(200)).toEqual(highestRanked.slice(200));
    await userWorker(user.deps)({ user_id: user.id, token: command?.id ?? '' }, { receives: 1 });
    expect(await readAllSteps()).toEqual(merged);
    expect(await pendingCommands(user.table, user.id)).toEqual([]);
  });

  test('starts over when the settings have changed since', async () => {
    await setMethod(null);
    await expect(rebuild(crashAtDay(3))).rejects.toThrow('killed');
    await setMethod('max');
    await rebuild(user.table);
    expect(await readAllSteps()).toEqual(largest);
  });
});
