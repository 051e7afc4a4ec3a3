// A long rebuild with uploads behind it, as the FIFO queue delivers its messages: each upload waits
// for one run at most.
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { sweepWorker } from '../../../../functions/workers/sweep.ts';
import { userWorker } from '../../../../functions/workers/write-user.ts';
import { patchConfiguration } from '../../../../shared/consolidation/configuration.ts';
import { acceptUpload } from '../../../../shared/mobile/accept-upload.ts';
import type { Table } from '../../../../shared/platform/ports.ts';
import { addDays } from '../../../../shared/platform/time/local-day.ts';
import { UploadBody } from '../../../../shared/providers/phone/upload.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { acceptStepsUpload, createMemoryUser, type MemoryUser, watch } from '../../../harness/memory-user.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import { runWriter } from '../../../harness/run-writer.ts';
import { isCommit, stalledTable } from '../../../harness/stalled-table.ts';

/** A rebuild processes two hundred days per step: five steps. */
const days = Array.from({ length: 900 }, (_none, at) => addDays('2020-01-01', at));
const ring = { name: 'Ring', model: 'R1', type: 'ring' } as const;
let user: MemoryUser;
beforeEach(async () => {
  user = await createMemoryUser();
  const { deps } = user.world;
  for (const [provider, device, value] of [
    ['apple_health', watch, 100],
    ['samsung_health', ring, 300],
  ] as const) {
    const daily = days.map((date) => ({ date, metric: 'steps', value, unit: 'count' }));
    const phone = { ...user.phone, provider };
    await acceptUpload(deps, phone, UploadBody.parse({ time_zone: 'UTC', device, daily }));
    await runWriter(deps, user.id);
  }
  await patchConfiguration(deps, user.caller, user.id, { metrics: { steps: { method: 'max' } } });
  messages.length = 0;
});

/** The messages in the user's queue, in order. */
const JobOf = z.object({ user_id: z.string(), token: z.string().optional() });
const messages: z.infer<typeof JobOf>[] = [];
/** Each step of a rebuild takes six seconds. */
function slowly(table: Table = user.table): Deps {
  const { world } = user;
  const deps = world.withTable({
    ...table,
    queryAll(query) {
      if (String(query.values['from']).startsWith('D#')) world.clock.advance(6_000);
      return table.queryAll(query);
    },
  });
  return {
    ...deps,
    queue: { ...deps.queue, send: async (_queue, body) => void messages.push(JobOf.parse(body)) },
  };
}
async function next(): Promise<boolean> {
  const message = messages.shift();
  if (message) await userWorker(slowly())(message, { receives: 1 });
  return message !== undefined;
}
const waiting = () => pendingCommands(user.table, user.id);
const rebuild = async () => (await waiting()).find(({ kind }) => kind === 'rebuild');
const isSynced = (event: object) => 'type' in event && event.type === 'subject.synced';

test('each upload is processed by the next run, and the rebuild ends with one event', async () => {
  messages.push({ user_id: user.id });
  let runs = 0;
  for (; await rebuild(); runs++) {
    const date = addDays('2025-01-01', runs);
    await acceptStepsUpload(user, date, 1 + runs, { deps: slowly() });
    expect(await next()).toBe(true);
    expect(await user.stepsOn(date), `after run ${runs}`).toBe(1 + runs);
  }
  expect(runs).toBeGreaterThan(2);
  while (await next());
  expect(await waiting()).toEqual([]);
  for (const date of [days[0], days[450], days.at(-1)]) expect(await user.stepsOn(date ?? '')).toBe(300);
  expect(user.events().filter(isSynced)).toEqual([
    { type: 'subject.synced', metrics: ['steps'], from_date: days[0], to_date: days.at(-1) },
  ]);
});

test('many messages do not start many chains', async () => {
  for (let sent = 0; sent < 8; sent++) messages.push({ user_id: user.id });
  let runs = 0;
  let chained = 0;
  for (; await next(); runs++) {
    const tokens = messages.filter(({ token }) => token !== undefined).length;
    expect(tokens).toBeLessThanOrEqual(1);
    chained += tokens;
  }
  expect(await rebuild()).toBeUndefined();
  // The first of the eight starts the rebuild; its token waits behind the other seven, and then
  // each run sends the next one.
  expect(chained).toBeGreaterThan(7);
  expect(runs).toBeLessThan(8 + 5);
});

test('the message of a chain makes one step of the rebuild, however long the uploads before it took, and does not pause', async () => {
  messages.push({ user_id: user.id });
  await next();
  const [chained] = messages.splice(0);
  const before = await rebuild();
  expect(chained).toEqual({ user_id: user.id, token: before?.id });
  await acceptStepsUpload(user, '2025-01-01', 7);
  let isProcessed = false;
  const deps = slowly({
    ...user.table,
    transact(writes) {
      // The upload's pass ends when the time of the run is over.
      if (!isProcessed) user.world.clock.advance(11_000);
      isProcessed = true;
      return user.table.transact(writes);
    },
  });
  const pauses: number[] = [];
  const clock = { now: () => deps.clock.now(), pause: async (ms: number) => void pauses.push(ms) };
  if (chained) await userWorker({ ...deps, clock })(chained, { receives: 1 });
  expect([await user.stepsOn('2025-01-01'), pauses]).toEqual([7, []]);
  const through = (command: typeof before) => (command?.kind === 'rebuild' ? command.cursor?.through : undefined) ?? '';
  expect(through(before) < through(await rebuild())).toBe(true);
  expect(messages).toEqual([chained]);
});

test('a chain whose message was lost continues after a minute, found by the sweep', async () => {
  messages.push({ user_id: user.id });
  await next();
  messages.length = 0;
  const stopped = await rebuild();
  await runWriter(slowly(), user.id);
  expect(await rebuild()).toEqual(stopped);
  expect(messages).toEqual([]);
  user.world.clock.advance(60_000);
  user.world.calls.length = 0;
  await sweepWorker(user.world.deps)();
  const [queued] = user.world.sentTo('user');
  expect(queued).toEqual({ user_id: user.id });
  messages.push({ user_id: user.id });
  while (await next());
  expect(await waiting()).toEqual([]);
  expect(user.events().filter(isSynced)).toHaveLength(1);
});

test('a writer that stalls in a long command and is overtaken starts no second chain', async () => {
  const { table, isStalled, release } = stalledTable(user.table, isCommit);
  const zombie = userWorker(slowly(table))({ user_id: user.id }, { receives: 1 });
  expect(await isStalled).toBe(true);
  await userWorker(slowly())({ user_id: user.id }, { receives: 1 });
  const stopped = await rebuild();
  expect(messages).toEqual([{ user_id: user.id, token: stopped?.id }]);
  release();
  await zombie;
  expect(await rebuild()).toEqual(stopped);
  expect(messages).toHaveLength(1);
  while (await next());
  expect(await waiting()).toEqual([]);
  expect(user.events().filter(isSynced)).toHaveLength(1);
});
