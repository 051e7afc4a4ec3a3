// Settings that change in quick succession cause one rebuild: a run waits until a second has passed
// without a change.
import { expect, test } from 'vitest';
import { userWorker } from '../../../../functions/workers/write-user.ts';
import { patchConfiguration } from '../../../../shared/consolidation/configuration.ts';
import { acceptStepsUpload, createMemoryUser } from '../../../harness/memory-user.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import { runWriter } from '../../../harness/run-writer.ts';

async function changedPerson() {
  const person = await createMemoryUser();
  const { deps } = person.world;
  await acceptStepsUpload(person, '2026-03-10', 100);
  await runWriter(deps, person.id);
  const change = (method: 'max' | 'avg') =>
    patchConfiguration(deps, person.caller, person.id, { metrics: { steps: { method } } });
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
    })({ user_id: person.id }, { receives: 1 });
  const rebuilds = () => person.world.log.filter(({ message }) => message === 'rebuilt').length;
  return { person, change, run, pauses, rebuilds };
}

test('a run waits until a second has passed without a change, and rebuilds once', async () => {
  const { person, change, run, pauses, rebuilds } = await changedPerson();
  await change('max');
  const changes = ['avg', 'max', 'avg'] as const;
  let made = 0;
  await run(async () => {
    const method = changes[made++];
    if (method) await change(method);
  });
  expect(pauses).toEqual([1_000, 1_000, 1_000, 1_000]);
  expect(rebuilds()).toBe(1);
  expect(await pendingCommands(person.table, person.id)).toEqual([]);
});

test('endless changes do not postpone the rebuild forever', async () => {
  const { person, change, run, pauses, rebuilds } = await changedPerson();
  await change('max');
  let made = 0;
  await run(() => change(made++ % 2 === 0 ? 'avg' : 'max'));
  expect(pauses).toHaveLength(5);
  expect(rebuilds()).toBe(1);
  expect(await pendingCommands(person.table, person.id)).toEqual([]);
});

test('an upload does not wait', async () => {
  const { person, run, pauses } = await changedPerson();
  await acceptStepsUpload(person, '2026-03-11', 100);
  await run();
  expect(pauses).toEqual([]);
  expect(await person.stepsOn('2026-03-11')).toBe(100);
});
