// An upload whose phone was let in a moment before its device was disconnected, its user deleted,
// or sharing revoked: it is refused, or it came first.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disconnectDevice } from '../../../../shared/domain/devices/devices.ts';
import { deleteUser } from '../../../../shared/domain/erasure/delete-user.ts';
import { acceptUpload } from '../../../../shared/domain/sdk/accept-upload.ts';
import { removeMember } from '../../../../shared/domain/team/members.ts';
import { subjectOf } from '../../../../shared/domain/users/subject.ts';
import type { SdkCaller } from '../../../../shared/model/account.ts';
import { MobileScope } from '../../../../shared/model/token.ts';
import { UploadBody } from '../../../../shared/model/upload.ts';
import { memberRows } from '../../../../shared/store/members.ts';
import { joined } from '../../../harness/invited.ts';
import { overtakenTable } from '../../../harness/overtaken-table.ts';
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
  const { user } = await joined(shop.deps, shop.caller.account);
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

const waiting = async (user: string) =>
  (await wholePartition(shop.place.table, user)).filter(({ sk }) => String(sk).startsWith('B#')).length;
const removeWatch = async (user: string) => {
  const device = (await subjectOf(shop.deps, user))?.devices.find(({ model }) => model === watch.model);
  await disconnectDevice(shop.deps, shop.caller, user, device?.id ?? '');
};

const removeMemberOf = async (user: string) => {
  const membership = await memberRows(shop.deps.store).ofUser(user);
  await removeMember(shop.deps, shop.caller, membership?.member ?? '');
};

describe.each([
  ['a device that is known', watch],
  ['a new device', other],
])('an upload of %s', (_which, device) => {
  test.each([
    ['its user is deleted', (user: string) => deleteUser(shop.deps, shop.caller, user), 'invalid_token'],
    ['its phone’s device is disconnected', removeWatch, 'invalid_token'],
    ['sharing is revoked', removeMemberOf, 'sharing_revoked'],
  ] as const)('is refused when %s before it is written, whenever that happens', async (_what, happens, code) => {
    let refused = 0;
    for (let n = 1; ; n++) {
      const { user, phone } = await letIn();
      const before = await waiting(user);
      let taken = before;
      const { table, happened } = overtakenTable(shop.place.table, n, async () => {
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
        expect([outcome, await waiting(user)]).toEqual([code, taken]);
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
