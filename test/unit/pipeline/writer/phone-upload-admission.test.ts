// Uploads of a phone do not write the row of its device, so its last upload is known from the
// pending commands and from the last pass.
import { beforeEach, describe, expect, test } from 'vitest';
import { MobileScope } from '../../../../shared/catalog/mobile-scopes.ts';
import { disconnectDevice } from '../../../../shared/connections/disconnect.ts';
import { acceptRecords } from '../../../../shared/pipeline/accept-records.ts';
import { EngineUnavailable, type Table } from '../../../../shared/platform/ports.ts';
import { workerWriteDeadlineMs } from '../../../../shared/platform/write-deadline.ts';
import { toRawUpload } from '../../../../shared/providers/phone/format.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { readUserContext } from '../../../../shared/users/user-context.ts';
import { interleavedTable } from '../../../harness/interleaved-table.ts';
import { acceptStepsUpload, createMemoryUser, type MemoryUser } from '../../../harness/memory-user.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import { runWriter } from '../../../harness/run-writer.ts';
import { addDevice, ring } from '../../../harness/stored-data.ts';
import { uploadBody } from '../../../harness/upload-body.ts';

const date = '2026-03-01';
const other = { name: 'Pocket', model: 'P1', type: 'phone' } as const;
let user: MemoryUser;
let deps: Deps;
beforeEach(async () => {
  user = await createMemoryUser();
  ({ deps } = user.world);
});

const send = (value: number, more: Parameters<typeof acceptStepsUpload>[3] = {}) =>
  acceptStepsUpload(user, date, value, more);
const work = (own = deps) => runWriter(own, user.id);
const waiting = async () => (await pendingCommands(user.table, user.id)).filter(({ kind }) => kind === 'upload');
const deviceRows = () => user.table.rows().filter(({ sk }) => String(sk).startsWith('@DEVICE#'));
const rawRows = () => user.table.rows().filter(({ sk }) => String(sk).startsWith('R#'));
const running = (byMs: number): Deps => ({ ...deps, clock: { now: () => deps.clock.now() + byMs } });

test('an upload writes its command and its raw data, but not the row of its device', async () => {
  await send(1);
  const before = deviceRows();
  await send(2);
  await work();
  expect(deviceRows()).toEqual(before);
  const [device] = (await readUserContext(deps, user.id))?.devices ?? [];
  expect(device?.lastSyncMs).toBeGreaterThan(0);
});

describe('a repeat', () => {
  test.each([
    ['waits', false],
    ['was processed last', true],
  ])(
    'of an upload that %s is the same upload, also when another device has sent data since',
    async (_which, isProcessed) => {
      const first = await send(1);
      await send(5, { device: other });
      if (isProcessed) await work();
      const before = (await waiting()).length;
      expect(await send(1)).toBe(first);
      expect(await waiting()).toHaveLength(before);
      await work();
      expect(await user.stepsOn(date)).toBe(1);
    },
  );

  test.each([
    ['wait', [false, false]],
    ['were processed', [true, true]],
    ['were processed, the last of which waits', [true, false]],
  ])('of the upload before the last one counts as the latest, where both %s', async (_where, [first, second]) => {
    await send(1);
    if (first) await work();
    await send(2);
    if (second) await work();
    await send(1);
    await work();
    expect(await user.stepsOn(date)).toBe(1);
  });

  test('is recognized among more uploads than a run reads', async () => {
    await send(0);
    for (let value = 1; value <= 200; value++) await send(value);
    await send(200);
    expect(await waiting()).toHaveLength(201);
    // It is at the end of what a run reads.
    const [repeated] = (await waiting()).slice(147, 148);
    const value = 147;
    expect(await send(value)).toBe(repeated?.id);
    expect(await waiting()).toHaveLength(202);
    while ((await waiting()).length > 0) await work();
    expect(await user.stepsOn(date)).toBe(value);
  });
});

describe('of two consecutive uploads the later one counts', () => {
  test.each([
    ['waits', 0, false],
    ['waits, and the second clock is behind', -50_000, false],
    ['was processed', 0, true],
    ['was processed, and the second clock is behind', -50_000, true],
  ])('when the first %s', async (_what, byMs, isProcessed) => {
    await send(1);
    if (isProcessed) await work();
    await send(2, { deps: running(byMs) });
    await send(3, { deps: running(2 * byMs) });
    await work();
    expect(await user.stepsOn(date)).toBe(3);
    expect(await waiting()).toEqual([]);
  });
});

describe('an upload whose sender crashed before its raw data was stored', () => {
  /** The command is written, and then nothing more. */
  const crashing = (): Deps =>
    user.world.withTable({
      ...user.table,
      write: (each) =>
        each.kind === 'put' && each.item.sk.startsWith('R#')
          ? Promise.reject(new EngineUnavailable('the sender crashed'))
          : user.table.write(each),
    });
  const half = (value: number) => expect(send(value, { deps: crashing() })).rejects.toThrow('the sender crashed');

  test('blocks nothing, and is dropped once no sender can still be writing it', async () => {
    await half(1);
    await send(2, { device: other });
    await work();
    expect(await user.stepsOn(date)).toBe(2);
    await acceptStepsUpload(user, '2026-03-02', 20);
    await work();
    expect(await user.stepsOn('2026-03-02')).toBe(20);
    expect(await waiting()).toHaveLength(1);
    user.world.clock.advance(workerWriteDeadlineMs);
    await work();
    expect(await waiting()).toEqual([]);
    expect(user.world.log.filter(({ level }) => level !== 'info')).toMatchObject([
      { level: 'warn', message: 'upload_incomplete', fields: { user_id: user.id } },
    ]);
  });

  test.each([
    ['at once', 0, false],
    ['after another one', 0, true],
    ['after it was dropped', workerWriteDeadlineMs, false],
    ['after another one, once it was dropped', workerWriteDeadlineMs, true],
  ])('is accepted when the phone sends it again %s', async (_when, laterMs, hasAnother) => {
    await half(1);
    if (hasAnother) await send(2);
    user.world.clock.advance(laterMs);
    await work();
    await send(1);
    await work();
    expect(await user.stepsOn(date)).toBe(1);
    expect(await waiting()).toEqual([]);
  });

  test('is not lost when it is sent again at any moment while it is dropped', async () => {
    for (let call = 1; ; call++) {
      user = await createMemoryUser();
      ({ deps } = user.world);
      await half(1);
      user.world.clock.advance(workerWriteDeadlineMs);
      const met = interleavedTable(user.table, call, () => send(1));
      await work(user.world.withTable(met.table));
      if (!met.hasRun()) return expect(call).toBeGreaterThan(3);
      user.world.clock.advance(workerWriteDeadlineMs);
      await work();
      expect(await user.stepsOn(date), `before call ${call}`).toBe(1);
      expect(await waiting()).toEqual([]);
    }
  });

  test('of a provider is not a repeat either, before and after it is dropped', async () => {
    const device = await addDevice(deps, user.id, ring);
    const raw = toRawUpload(uploadBody({ daily: [{ date, metric: 'steps', value: 7, unit: 'count' }] }));
    const bring = async (own: Deps) => {
      const known = (await readUserContext(own, user.id))?.devices.find(({ id }) => id === device.id);
      if (!known) throw new Error('the device does not exist');
      return acceptRecords(own, user.id, own.clock.now(), [{ device: known, raw, scopes: MobileScope.options }]);
    };
    for (const laterMs of [0, workerWriteDeadlineMs]) {
      await expect(bring(crashing())).rejects.toThrow('the sender crashed');
      user.world.clock.advance(laterMs);
      await work();
      expect(await user.stepsOn(date)).toBeUndefined();
    }
    await bring(deps);
    await work();
    expect(await user.stepsOn(date)).toBe(7);
    await bring(deps);
    expect(await waiting()).toEqual([]);
  });
});

test('raw data that arrives after its device was removed does not stay', async () => {
  await send(1);
  await work();
  const [device] = (await readUserContext(deps, user.id))?.devices ?? [];
  let isGone = false;
  const slow: Table = {
    ...user.table,
    async write(each) {
      if (!isGone && each.kind === 'put' && each.item.sk.startsWith('R#')) {
        isGone = true;
        await disconnectDevice(deps, user.caller, user.id, device?.id ?? '');
        await work();
      }
      return user.table.write(each);
    },
  };
  await send(2, { deps: user.world.withTable(slow) });
  expect([isGone, rawRows().length]).toEqual([true, 1]);
  await work();
  expect([await waiting(), rawRows()]).toEqual([[], []]);
  expect(await user.stepsOn(date)).toBeUndefined();
});
