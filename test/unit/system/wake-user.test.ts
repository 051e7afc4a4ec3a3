// The real senders and the real writer around a queue that remembers deduplication keys.
import { expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { userWorker } from '../../../functions/workers/write-user.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import type { SdkCaller } from '../../../shared/mobile/sdk-caller.ts';
import { writeConditionally } from '../../../shared/platform/conditional-write.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { wakeRows } from '../../../shared/users/wake-rows.ts';
import { isAnyCall, pauseBeforeCall } from '../../harness/erasure/paused-worker.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { memoryStartMs } from '../../harness/memory-deps.ts';
import { oneTo } from '../../harness/outbox.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { tryEverySwitch } from '../../harness/races/context-switches.ts';
import { runStepped } from '../../harness/races/stepped-actors.ts';
import { openUserQueue } from '../../harness/user-queue.ts';

const minuteMs = 60_000;
const watch = { name: 'W', model: 'W1', type: 'wrist' };

function sendSteps(deps: Deps, phone: SdkCaller, minute: number): Promise<unknown> {
  const start = new Date(memoryStartMs + minute * minuteMs).toISOString();
  const samples = [{ metric: 'steps', start, value: 1, unit: 'count' }];
  return acceptUpload(deps, phone, UploadBody.parse({ time_zone: 'UTC', device: watch, samples }));
}

async function open() {
  const world = await openWorld();
  const phone = await world.phone();
  const userQueue = openUserQueue(world.clock);
  return { world, phone, userQueue, deps: { ...world.deps, queue: userQueue.queue } };
}

const countPending = async (world: World): Promise<number> => (await pendingCommands(world.table, world.id)).length;

test('of a thousand uploads one message waits, and two while the writer runs', async () => {
  const { world, phone, userQueue, deps } = await open();
  for (const minute of oneTo(1_000)) {
    await sendSteps(deps, phone, minute);
    expect(userQueue.waiting.length).toBeLessThanOrEqual(1);
  }
  let sent = 1_000;
  let maxWaiting = 0;
  // Every call of the writer takes long enough for it to run out of time, and an upload arrives.
  const slow = {
    ...deps,
    clock: {
      now() {
        world.clock.advance(200);
        return world.clock.now();
      },
    },
  };
  while (userQueue.waiting.length > 0) {
    const [job] = userQueue.waiting.splice(0, 1);
    if (!job) break;
    const run = userWorker(slow)(job, { receives: 1 });
    for (const _upload of oneTo(5)) if (sent < 1_300) await sendSteps(deps, phone, ++sent);
    await run;
    maxWaiting = Math.max(maxWaiting, userQueue.waiting.length);
  }
  expect(maxWaiting).toBeLessThanOrEqual(2);
  expect(sent).toBeGreaterThan(1_010);
  expect(await countPending(world)).toBe(0);
});

test('a run that has no time for a pass sends the next message', async () => {
  const { world, phone, userQueue, deps } = await open();
  await sendSteps(deps, phone, 1);
  const [job] = userQueue.waiting.splice(0);
  if (!job) throw new Error('the upload sent no message');
  const late = {
    ...deps,
    clock: {
      now() {
        world.clock.advance(11_000);
        return world.clock.now();
      },
    },
  };
  await userWorker(late)(job, { receives: 1 });
  expect([userQueue.waiting.length, await countPending(world)]).toEqual([1, 1]);
  await userQueue.drain(deps);
  expect(await countPending(world)).toBe(0);
});

test('a run that was overtaken does not lower the number again', async () => {
  const { world } = await open();
  const rows = wakeRows(world.deps.store);
  const raise = async (wake: number | undefined, next: number) =>
    (await writeConditionally(world.table, rows.buildRaise({ id: world.id, wake }, next))).applied;
  expect([await raise(undefined, 1), await raise(1, 2)]).toEqual([true, true]);
  expect([await raise(undefined, 1), await raise(1, 2)]).toEqual([false, false]);
  expect(await rows.find(world.id)).toBe(2);
});

test('changes of settings draw on the same message', async () => {
  const { world, userQueue, deps } = await open();
  for (const zone of ['Asia/Tokyo', 'Asia/Kolkata', 'Africa/Cairo', 'Europe/Paris', 'Pacific/Auckland'])
    await updateUser(deps, world.caller, world.id, { timezone: zone });
  expect(userQueue.waiting).toHaveLength(1);
  await userQueue.drain(deps);
  expect(await countPending(world)).toBe(0);
});

test.each([
  ['writer', 'has a command'],
  ['other', 'has a command'],
  ['writer', 'finds nothing to do'],
  ['other', 'finds nothing to do'],
] as const)(
  'no order of table calls loses an upload, when the %s comes first and the message %s',
  async (first, finds) => {
    const coverage = await tryEverySwitch(first, async ({ runs }) => {
      const { world, phone, userQueue, deps } = await open();
      await sendSteps(deps, phone, 1);
      const [job] = userQueue.waiting.splice(0);
      if (!job) throw new Error('the first upload sent no message');
      // A message of the sweep came before.
      if (finds === 'finds nothing to do') await userWorker(deps)({ user_id: world.id }, { receives: 1 });
      const { steps, errors } = await runStepped(
        world.table,
        {
          writer: (table) => userWorker({ ...world.withTable(table), queue: userQueue.queue })(job, { receives: 1 }),
          other: async (table) =>
            void (await sendSteps({ ...world.withTable(table), queue: userQueue.queue }, phone, 2)),
        },
        { runs },
      );
      expect(errors).toEqual([]);
      expect(userQueue.waiting.length).toBeLessThanOrEqual(1);
      await userQueue.drain(deps);
      expect(await countPending(world)).toBe(0);
      return steps;
    });
    expect(coverage.tried).toBeGreaterThanOrEqual(10);
  },
);

test('an upload that the writer found half stored is found again, at whatever call its sender ends', async () => {
  for (let call = 1; ; call++) {
    const { world, phone, userQueue, deps } = await open();
    const tablet = await world.phone('health_connect');
    await sendSteps(deps, phone, 1);
    await sendSteps(deps, tablet, 1);
    await userQueue.drain(deps);
    const withQueue = (own: Deps): Deps => ({ ...own, queue: userQueue.queue });
    // The command and the summary are stored, and the raw data is not.
    const half = pauseBeforeCall(world, 3, (own) => sendSteps(withQueue(own), tablet, 2));
    await half.stopped;
    await sendSteps(deps, phone, 2);
    const [job] = userQueue.waiting.splice(0);
    if (!job) throw new Error('the upload sent no message');
    const run = pauseBeforeCall(world, call, (own) => userWorker(withQueue(own))(job, { receives: 1 }), isAnyCall);
    await run.stopped;
    await half.resume();
    await run.resume();
    await userQueue.drain(deps);
    expect([call, await countPending(world)]).toEqual([call, 0]);
    if (run.calls().length < call) return;
  }
});

test.each(['writer', 'other'] as const)('a crash of the %s after any call delays nothing but itself', async (dies) => {
  for (let calls = 1; ; calls++) {
    const { world, phone, userQueue, deps } = await open();
    await sendSteps(deps, phone, 1);
    const [job] = userQueue.waiting.splice(0);
    if (!job) throw new Error('the first upload sent no message');
    const { steps } = await runStepped(
      world.table,
      {
        writer: (table) => userWorker({ ...world.withTable(table), queue: userQueue.queue })(job, { receives: 1 }),
        other: async (table) => void (await sendSteps({ ...world.withTable(table), queue: userQueue.queue }, phone, 2)),
      },
      { runs: [{ actor: dies, calls }], dies },
    );
    // SQS delivers the message of a run that died again, before any later one.
    if (dies === 'writer') userQueue.waiting.unshift(job);
    world.clock.advance(2 * minuteMs);
    await sendSteps(deps, phone, 3);
    await userQueue.drain(deps);
    expect(await countPending(world)).toBe(0);
    if (steps.filter(({ actor }) => actor === dies).length < calls) return;
  }
});

test('after a purge the sweep finds everything within six minutes, and uploads of that time within two', async () => {
  const { world, phone, userQueue, deps } = await open();
  await sendSteps(deps, phone, 1);
  userQueue.purge();
  // SQS still remembers the number, so the message of this upload is dropped.
  await sendSteps(deps, phone, 2);
  expect(userQueue.waiting).toEqual([]);
  const passMinute = async (): Promise<void> => {
    world.clock.advance(minuteMs);
    await sweepWorker(deps)();
  };
  await passMinute();
  await passMinute();
  // The reminder is purged, too.
  expect(userQueue.waiting.length).toBeLessThanOrEqual(1);
  userQueue.purge();
  let minutes = 0;
  for (; (await countPending(world)) > 0; minutes++) {
    await passMinute();
    await userQueue.drain(deps);
  }
  expect(minutes).toBeLessThanOrEqual(6);
  await sendSteps(deps, phone, 3);
  await userQueue.drain(deps);
  for (minutes = 0; (await countPending(world)) > 0; minutes++) {
    await passMinute();
    await userQueue.drain(deps);
  }
  expect(minutes).toBeLessThanOrEqual(2);
});
