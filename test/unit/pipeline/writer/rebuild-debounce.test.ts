// Settings that change in quick succession cause one rebuild: a run waits until a second has passed
// without a change.
import { expect, test } from 'vitest';
import { userWorker } from '../../../../functions/workers/write-user.ts';
import { patchConfiguration } from '../../../../shared/consolidation/configuration.ts';
import { acceptStepsUpload, createMemoryUser } from '../../../harness/memory-user.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import { runWriter } from '../../../harness/run-writer.ts';

async function userWithChanges() {
  const user = await createMemoryUser();
  const { deps } = user.world;
  await acceptStepsUpload(user, '2026-03-10', 100);
  await runWriter(deps, user.id);
  const change = (method: 'max' | 'avg') =>
    patchConfiguration(deps, user.caller, user.id, { metrics: { steps: { method } } });
  const pauses: number[] = [];
  /** Calls `during` while the run waits. */
  const run = (during: () => Promise<unknown> = async () => {}) =>
    userWorker({
      ...deps,
      clock: {
        now: () => deps.clock.now(),
        async pause(milliseconds) {
          pauses.push(milliseconds);
          await during();
        },
      },
    })({ user_id: user.id }, { receives: 1 });
  const rebuilds = () => user.world.log.filter(({ message }) => message === 'rebuilt').length;
  return { user, change, run, pauses, rebuilds };
}

test('a run waits until a second has passed without a change, and rebuilds once', async () => {
  const { user, change, run, pauses, rebuilds } = await userWithChanges();
  await change('max');
  const changes = ['avg', 'max', 'avg'] as const;
  let count = 0;
  await run(async () => {
    const method = changes[count++];
    if (method) await change(method);
  });
  expect(pauses).toEqual([1_000, 1_000, 1_000, 1_000]);
  expect(rebuilds()).toBe(1);
  expect(await pendingCommands(user.table, user.id)).toEqual([]);
});

test('endless changes do not postpone the rebuild forever', async () => {
  const { user, change, run, pauses, rebuilds } = await userWithChanges();
  await change('max');
  let count = 0;
  await run(() => change(count++ % 2 === 0 ? 'avg' : 'max'));
  expect(pauses).toHaveLength(5);
  expect(rebuilds()).toBe(1);
  expect(await pendingCommands(user.table, user.id)).toEqual([]);
});

test('an upload does not wait', async () => {
  const { user, run, pauses } = await userWithChanges();
  await acceptStepsUpload(user, '2026-03-11', 100);
  await run();
  expect(pauses).toEqual([]);
  expect(await user.stepsOn('2026-03-11')).toBe(100);
});
