// An upload whose phone was let in a moment before its device was disconnected, or its user deleted: it is refused, or it came first.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disconnectDevice } from '../../../../shared/domain/devices/devices.ts';
import { deleteUser } from '../../../../shared/domain/erasure/delete-user.ts';
import { acceptUpload } from '../../../../shared/domain/sdk/accept-upload.ts';
import { subjectOf } from '../../../../shared/domain/users/subject.ts';
import type { Table } from '../../../../shared/engine/ports.ts';
import type { SdkCaller } from '../../../../shared/model/account.ts';
import { MobileScope } from '../../../../shared/model/token.ts';
import { UploadBody } from '../../../../shared/model/upload.ts';
import { wholePartition } from '../../../harness/raced-user.ts';
import { openSdkSession } from '../../../harness/sdk-session.ts';
import { openWorkshop, type Workshop } from '../../../harness/worker-deps.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.place.stop());

const watch = { name: 'Watch', model: 'W1', type: 'wrist' };
const other = { name: 'Ring', model: 'R1', type: 'ring' };
const walk = (device: object, value: number) => ({
  time_zone: 'UTC',
  device,
  samples: [{ metric: 'steps', start: '2026-03-10T09:00:00Z', value, unit: 'count' }],
});

/** A phone that was let in already, with a watch that is known. */
async function letIn(): Promise<{ user: string; phone: SdkCaller }> {
  const user = await shop.user();
  await shop.upload(user, 'apple_health', walk(watch, 1));
  const { account, env } = shop.caller;
  const sessionId = await openSdkSession(shop.deps, { id: user, account, env }, 'apple_health');
  const scopes = MobileScope.options;
  const phone: SdkCaller = {
    kind: 'sdk_session',
    account,
    env,
    form: 2,
    userId: user,
    sessionId,
    provider: 'apple_health',
    scopes,
    sharingEpoch: 0,
  };
  return { user, phone };
}

/** Before the n-th call of the table something else happens. */
function overtaken(n: number, happens: () => Promise<unknown>): { table: Table; happened: () => boolean } {
  const { table } = shop.place;
  let calls = 0;
  const then = async <T>(call: () => Promise<T>): Promise<T> => {
    if (++calls === n) await happens();
    return call();
  };
  return {
    happened: () => calls >= n,
    table: {
      ...table,
      get: (...asked) => then(() => table.get(...asked)),
      batchGet: (...asked) => then(() => table.batchGet(...asked)),
      async *queryAll(asked) {
        await then(async () => {});
        yield* table.queryAll(asked);
      },
      write: (write) => then(() => table.write(write)),
      transact: (writes) => then(() => table.transact(writes)),
    },
  };
}

const waiting = async (user: string) =>
  (await wholePartition(shop.place.table, user)).filter(({ sk }) => String(sk).startsWith('B#')).length;
const removeWatch = async (user: string) => {
  const device = (await subjectOf(shop.deps, user))?.devices.find(({ model }) => model === watch.model);
  await disconnectDevice(shop.deps, shop.caller, user, device?.id ?? '');
};

describe.each([
  ['a device that is known', watch],
  ['a new device', other],
])('an upload of %s', (_which, device) => {
  test.each([
    ['its user is deleted', (user: string) => deleteUser(shop.deps, shop.caller, user)],
    ['its phone’s device is disconnected', removeWatch],
  ])('is refused when %s before it is written, whenever that happens', async (_what, happens) => {
    let refused = 0;
    for (let n = 1; ; n++) {
      const { user, phone } = await letIn();
      const before = await waiting(user);
      let taken = before;
      const { table, happened } = overtaken(n, async () => {
        taken = await waiting(user);
        await happens(user);
      });
      const outcome = await acceptUpload(shop.over(table), phone, UploadBody.parse(walk(device, 100))).then(
        () => 'taken',
        (error: { code?: string }) => error.code ?? String(error),
      );
      if (!happened()) {
        expect([outcome, await waiting(user)]).toEqual(['taken', before + 1]);
        break;
      }
      // Only what was taken in before stays taken in. A ring that was linked before the watch went is not concerned.
      if (outcome === 'taken')
        expect(happens === removeWatch && device === other ? before + 1 : taken).toBe(before + 1);
      else {
        expect([outcome, await waiting(user)]).toEqual(['invalid_token', taken]);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(1);
  });
});

test('a deletion that has not seen a device which came meanwhile looks again, and its upload is refused', async () => {
  const { user, phone } = await letIn();
  const before = await waiting(user);
  const { table } = shop.place;
  const [read, linked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const deletion = deleteUser(
    shop.over({
      ...table,
      async transact(writes) {
        read.resolve();
        await linked.promise;
        return table.transact(writes);
      },
    }),
    shop.caller,
    user,
  );
  await read.promise;
  const upload = acceptUpload(
    shop.over({
      ...table,
      async transact(writes) {
        const owes = writes.some((write) => write.kind === 'put' && write.item.sk.startsWith('B#'));
        if (owes) {
          linked.resolve();
          await deletion;
        }
        return table.transact(writes);
      },
    }),
    phone,
    UploadBody.parse(walk(other, 100)),
  );
  await expect(upload).rejects.toMatchObject({ code: 'invalid_token' });
  expect(await waiting(user)).toBe(before);
});
