// An upload whose phone was admitted just before its device was disconnected, its user was deleted
// or sharing was revoked is rejected, or it counts as earlier and ends with it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MobileScope } from '../../../shared/catalog/mobile-scopes.ts';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import type { SdkCaller } from '../../../shared/mobile/sdk-caller.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import { memberRows } from '../../../shared/team/member-rows.ts';
import { removeMember } from '../../../shared/team/members.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { interleavedTable } from '../../harness/interleaved-table.ts';
import { readPartition } from '../../harness/raced-user.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { openSdkSession } from '../../harness/sdk-session.ts';
import { createMember } from '../../harness/team-members.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const watch = { name: 'Watch', model: 'W1', type: 'wrist' };
const other = { name: 'Ring', model: 'R1', type: 'ring' };
const walk = (device: object, value: number) => ({
  time_zone: 'UTC',
  device,
  samples: [{ metric: 'steps', start: '2026-03-10T09:00:00Z', value, unit: 'count' }],
});

/** A phone that is already admitted, with a known watch. */
async function createPhoneUser(): Promise<{ user: string; phone: SdkCaller }> {
  const { user } = await createMember(world.deps, world.caller.account);
  await world.upload(user, 'apple_health', walk(watch, 1));
  const { account, env } = world.caller;
  const sessionId = await openSdkSession(world.deps, { id: user, account, env }, 'apple_health');
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

const rowsOf = async (user: string) => (await readPartition(world.localTable.table, user)).map(({ sk }) => String(sk));
const removeWatch = async (user: string) => {
  const device = (await readUserContext(world.deps, user))?.devices.find(({ model }) => model === watch.model);
  await disconnectDevice(world.deps, world.caller, user, device?.id ?? '');
};
const removeMemberOf = async (user: string) => {
  const membership = await memberRows(world.deps.store).findByUser(user);
  await removeMember(world.deps, world.caller, membership?.member ?? '');
};

/** Runs the writer as the sweep does, until nothing of the user is due. */
async function settle(user: string): Promise<void> {
  for (let rounds = 0; rounds < 5; rounds++) {
    const due = (await readPartition(world.localTable.table, user)).filter(({ duePk }) =>
      String(duePk).startsWith('DUE#user'),
    );
    if (due.length === 0) return;
    await runWriter(world.deps, user);
    world.clock.advance(workerWriteDeadlineMs + 1);
  }
  throw new Error('Something is still due.');
}

const hasPrefix =
  (...prefixes: string[]) =>
  (sk: string) =>
    prefixes.some((prefix) => sk.startsWith(prefix));

describe.each([
  ['a known device', watch],
  ['a new device', other],
])('an upload of %s', (_which, device) => {
  async function uploadInterruptedAt(
    n: number,
    action: (user: string) => Promise<unknown>,
  ): Promise<{ user: string; outcome: string; happened: boolean }> {
    const { user, phone } = await createPhoneUser();
    const { table, hasRun: happened } = interleavedTable(world.localTable.table, n, () => action(user));
    const outcome = await acceptUpload(world.withTable(table), phone, UploadBody.parse(walk(device, 100))).then(
      () => 'taken',
      (error: { code?: string }) => error.code ?? String(error),
    );
    return { user, outcome, happened: happened() };
  }

  /**
   * Interrupts the upload at every call; at every second one, the writer of the user runs at once
   * as well.
   */
  async function atEveryCall(
    action: (user: string) => Promise<unknown>,
    code: string,
    check: (user: string, outcome: string) => Promise<void>,
  ): Promise<void> {
    const outcomes = new Set<string>();
    for (let n = 1; ; n++) {
      const interrupt = async (user: string) => {
        await action(user);
        if (n % 2 === 0) await runWriter(world.deps, user);
      };
      const { user, outcome, happened } = await uploadInterruptedAt(n, interrupt);
      if (!happened) {
        expect(outcome).toBe('taken');
        break;
      }
      outcomes.add(outcome);
      await settle(user);
      await check(user, outcome);
    }
    expect([...outcomes].sort()).toEqual([code, 'taken'].sort());
  }

  test('leaves nothing if its user is deleted at any point', () =>
    atEveryCall(
      (user) => deleteUser(world.deps, world.caller, user),
      'invalid_token',
      async (user) => expect(await rowsOf(user)).toEqual([]),
    ));

  test('leaves nothing of a device that is disconnected at any point', () =>
    atEveryCall(removeWatch, 'invalid_token', async (user, outcome) => {
      const left = (await rowsOf(user)).filter(hasPrefix('!', 'R#', 'T#'));
      // A ring that was linked before the watch was disconnected is not affected.
      const isRing = device === other && outcome === 'taken';
      expect(left.map((sk) => sk.slice(0, 2))).toEqual(isRing ? ['R#', 'T#'] : []);
    }));

  test('is processed without an event, or rejected, if sharing is revoked at any point', () =>
    atEveryCall(removeMemberOf, 'sharing_revoked', async (user, outcome) => {
      const rows = await rowsOf(user);
      expect(rows.filter(hasPrefix('!'))).toEqual([]);
      expect(rows.filter(hasPrefix('R#'))).toHaveLength(outcome === 'taken' ? 2 : 1);
      const userEvents = (await world.events()).filter((event) => event['user'] === user);
      expect(userEvents.filter(({ type }) => type === 'data.updated')).toEqual([]);
    }));
});
