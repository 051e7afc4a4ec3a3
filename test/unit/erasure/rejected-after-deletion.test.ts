// Once a deletion is answered, nothing is accepted for the user. Only an upload that had begun
// before counts as earlier, and it is erased with the rest.
import { expect, test } from 'vitest';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { patchConfiguration } from '../../../shared/consolidation/configuration.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { exchangeToken } from '../../../shared/mobile/exchange-token.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import { openSession } from '../../../shared/mobile/open-session.ts';
import type { SdkCaller } from '../../../shared/mobile/sdk-caller.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { findOrCreateDevice, listDevices } from '../../../shared/users/devices.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { listUserEvents } from '../../harness/erasure/erasure-checks.ts';
import {
  isAnyCall,
  listCalls,
  pauseBeforeCall,
  type Work,
  type WorkResult,
} from '../../harness/erasure/paused-worker.ts';
import { makeRecords, phoneDevice, watch } from '../../harness/erasure/records.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { oneTo } from '../../harness/outbox.ts';
import { installation } from '../../harness/sdk.ts';

const uploadOf = (phone: SdkCaller, device: object, more: number) => (deps: Deps) =>
  acceptUpload(deps, phone, UploadBody.parse({ time_zone: 'UTC', device, ...makeRecords(1, more) }));

const outcomeOf = (ended: WorkResult): string =>
  'answer' in ended ? 'accepted' : ended.error instanceof Failure ? ended.error.code : String(ended.error);

const countUploads = ({ table }: World): number =>
  table.rows().filter(({ sk }) => String(sk).startsWith('!UPLOAD#')).length;

/** The outcomes for a caller that is paused before each of its calls while the user is deleted. */
async function collectOutcomes(before: World, work: Work): Promise<string[]> {
  const outcomes: string[] = [];
  for (const n of oneTo((await listCalls(before, work, isAnyCall)).length)) {
    const world = before.copy();
    const worker = pauseBeforeCall(world, n, work, isAnyCall);
    await worker.stopped;
    await world.delete();
    const [eventCountBefore, uploads] = [listUserEvents(world).length, countUploads(world)];
    const outcome = outcomeOf(await worker.resume());
    outcomes.push(outcome);
    expect(listUserEvents(world)).toHaveLength(eventCountBefore);
    if (outcome !== 'accepted') expect(countUploads(world)).toBe(uploads);
  }
  return outcomes;
}

test('an upload of a new device is rejected, and one of a known device is too unless it had begun before', async () => {
  const world = await openWorld();
  const phone = await world.phone();
  const first = await collectOutcomes(world, uploadOf(phone, watch, 0));
  expect(first.length).toBeGreaterThan(3);
  // The device is stored with the user or not at all; what it uploads then counts as before the
  // deletion.
  expect(first.slice(0, 2)).toEqual(['invalid_token', 'invalid_token']);

  const device = { provider: 'apple_health', connection: 'sdk', deviceType: 'wrist', model: 'W1', name: null } as const;
  await findOrCreateDevice(world.deps, world.id, device);
  const [atOnce, ...begun] = await collectOutcomes(world, uploadOf(phone, watch, 1));
  expect(atOnce).toBe('invalid_token');
  expect(new Set(begun)).toEqual(new Set(['accepted']));
});

test('a mobile token is not redeemed, and no token or session is issued', async () => {
  const world = await openWorld();
  const { token } = await issueMobileToken(world.deps, world.caller, { userId: world.id });
  const redeeming: Work = (deps) => exchangeToken(deps, { client_token: token });
  expect(new Set(await collectOutcomes(world, redeeming))).toEqual(new Set(['invalid_token']));
  const issuing: Work = (deps) => issueMobileToken(deps, world.caller, { userId: world.id });
  expect(new Set(await collectOutcomes(world, issuing))).toEqual(new Set(['not_found']));
  const requested = { userId: world.id, idempotencyKey: 'once', body: installation(), origin: 'http://localhost' };
  const opening: Work = (deps) => openSession(deps, world.caller, requested);
  expect(new Set(await collectOutcomes(world, opening))).toEqual(new Set(['not_found']));
});

test('a change of the settings or the profile and a disconnect find no user', async () => {
  const world = await openWorld();
  await world.upload(watch, makeRecords(1));
  const [device] = await listDevices(world.deps, world.caller, world.id);
  const changes: [Work, string][] = [
    [
      (deps) => patchConfiguration(deps, world.caller, world.id, { metrics: { steps: { method: 'max' } } }),
      'user_not_found',
    ],
    [(deps) => updateUser(deps, world.caller, world.id, { timezone: 'Asia/Tokyo' }), 'not_found'],
    [(deps) => disconnectDevice(deps, world.caller, world.id, device?.id ?? ''), 'not_found'],
  ];
  for (const [change, code] of changes) {
    const outcomes = await collectOutcomes(world, change);
    // The last call is after the commit: it reads the number of the message that wakes the writer.
    expect(outcomes.pop()).toBe('accepted');
    expect(new Set(outcomes)).toEqual(new Set([code]));
  }
});

test('a device added during the deletion is closed with the others', async () => {
  const before = await openWorld();
  await before.upload(watch, makeRecords(1));
  const deleting: Work = (deps) => deleteUser(deps, before.caller, before.id);
  for (const n of oneTo((await listCalls(before, deleting, isAnyCall)).length)) {
    const world = before.copy();
    const worker = pauseBeforeCall(world, n, deleting, isAnyCall);
    await worker.stopped;
    await world.upload(phoneDevice, makeRecords(1));
    expect(outcomeOf(await worker.resume())).toBe('accepted');
    await expect(world.upload(phoneDevice, makeRecords(1, 1))).rejects.toThrow(Failure);
    await expect(world.upload(watch, makeRecords(1, 1))).rejects.toThrow(Failure);
    await expect(world.delete()).rejects.toMatchObject({ code: 'not_found' });
  }
});

test('of many concurrent deletions one succeeds, and the others find no user', async () => {
  const world = await openWorld();
  await world.upload(watch, makeRecords(1));
  const requested = await Promise.allSettled(oneTo(8).map(() => world.delete()));
  const refused = requested.filter(({ status }) => status === 'rejected');
  expect(refused).toEqual(oneTo(7).map(() => expect.objectContaining({ reason: expect.any(Failure) })));
});
