// A user is deleted while a phone uploads or is admitted.

import { expect, test } from 'vitest';
import { acceptUpload, recordFailedUpload } from '../../../shared/mobile/accept-upload.ts';
import { exchangeToken } from '../../../shared/mobile/exchange-token.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import { type OpenedSession, openSession } from '../../../shared/mobile/open-session.ts';
import { refreshCredentials } from '../../../shared/mobile/refresh-credentials.ts';
import { revokeSession } from '../../../shared/mobile/sdk-sessions.ts';
import type { Item } from '../../../shared/platform/ports.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { admitWithToken } from '../../harness/admit-with-token.ts';
import { createEraser } from '../../harness/erasure/eraser.ts';
import { listUserEvents } from '../../harness/erasure/erasure-checks.ts';
import { runEveryRace } from '../../harness/erasure/race.ts';
import { makeRecords, watch } from '../../harness/erasure/records.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { oneTo } from '../../harness/outbox.ts';
import { runWriterUntilIdle } from '../../harness/run-writer.ts';
import { installation } from '../../harness/sdk.ts';

const body = installation();
const openTestSession = (world: World, deps: Deps, idempotencyKey: string): Promise<OpenedSession> =>
  openSession(deps, world.caller, { userId: world.id, idempotencyKey, body, origin: 'http://localhost' });

test('an upload of a new, a known or a retyped device leaves nothing of a deleted user', async () => {
  const world = await openWorld();
  const phone = await world.phone();
  const uploadOf = (device: object, more: number) => (deps: Deps) =>
    acceptUpload(deps, phone, UploadBody.parse({ time_zone: 'UTC', device, ...makeRecords(1, more) }));
  const first = await runEveryRace(world, uploadOf(watch, 0));
  expect(first.problems).toEqual([]);
  expect(first.writes.map((write) => /put (@DEVICE|R|!UPLOAD|UP)#/.exec(write)?.[1])).toEqual([
    '@DEVICE',
    '!UPLOAD',
    'UP',
    'R',
  ]);

  await world.upload(watch, makeRecords(1));
  const second = await runEveryRace(world, uploadOf(watch, 1));
  expect(second.problems).toEqual([]);
  expect(second.writes).toHaveLength(3);
  const retyped = await runEveryRace(world, uploadOf({ ...watch, type: 'ring' }, 1));
  expect(retyped.problems).toEqual([]);
  expect(retyped.writes).toHaveLength(4);
});

test('an upload of which a part is rejected leaves nothing of a deleted user', async () => {
  const world = await openWorld();
  const phone = await world.phone();
  const records = makeRecords(1);
  const daily = [{ metric: 'steps', date: '2026-03-12', value: -1, unit: 'count' }];
  const body = UploadBody.parse({ time_zone: 'UTC', device: watch, ...records, daily });
  const { writes, problems } = await runEveryRace(world, (deps) => acceptUpload(deps, phone, body));
  expect(problems).toEqual([]);
  expect(writes.map((write) => /put (@DEVICE|R|!UPLOAD|UP)#/.exec(write)?.[1])).toEqual([
    '@DEVICE',
    '!UPLOAD',
    'UP',
    'R',
  ]);
});

test('an upload of which nothing is accepted leaves nothing of a deleted user', async () => {
  const world = await openWorld();
  const phone = await world.phone();
  const daily = [{ metric: 'steps', date: '2026-03-12', value: -1, unit: 'count' }];
  const body = UploadBody.parse({ time_zone: 'UTC', device: watch, daily });
  const { writes, problems } = await runEveryRace(world, (deps) => acceptUpload(deps, phone, body));
  expect(problems).toEqual([]);
  expect(writes).toEqual([expect.stringMatching(/check @USER, put UP#/)]);
});

test('an upload that fails as a whole leaves nothing of a deleted user', async () => {
  const world = await openWorld();
  const phone = await world.phone();
  const failure = new Failure('payload_too_large', 'The upload is too large.');
  const { writes, problems } = await runEveryRace(world, (deps) => recordFailedUpload(deps, phone, failure));
  expect(problems).toEqual([]);
  expect(writes).toEqual([expect.stringMatching(/check @USER, put UP#/)]);
});

test('an upload that sets the time zone of a profile without one leaves nothing of a deleted user', async () => {
  const world = await openWorld();
  const phone = await world.phone();
  await world.upload(watch, makeRecords(1));
  await runWriterUntilIdle(world.deps, world.id);
  await updateUser(world.deps, world.caller, world.id, { timezone: null });
  const body = UploadBody.parse({ time_zone: 'Asia/Tokyo', device: watch, ...makeRecords(1, 1) });
  const { writes, problems } = await runEveryRace(world, (deps) => acceptUpload(deps, phone, body));
  expect(problems).toEqual([]);
  expect(writes[0]).toMatch(/update @USER, update !DO#recount/);
});

test('a session that is opened, recovered, exchanged, refreshed, used or ended leaves nothing of a deleted user', async () => {
  const world = await openWorld();
  const problemsOf = async (work: (deps: Deps) => Promise<unknown>) => {
    const { writes, problems } = await runEveryRace(world, work);
    expect(writes).not.toEqual([]);
    return problems;
  };
  expect(await problemsOf((deps) => openTestSession(world, deps, 'first'))).toEqual([]);
  const { bootstrap } = await openTestSession(world, world.deps, 'first');
  expect(await problemsOf((deps) => openTestSession(world, deps, 'second'))).toEqual([]);
  expect(await problemsOf((deps) => exchangeToken(deps, bootstrap))).toEqual([]);
  const { refresh_token, access_token } = await exchangeToken(world.deps, bootstrap);
  expect(await problemsOf((deps) => refreshCredentials(deps, refresh_token))).toEqual([]);
  expect(await problemsOf((deps) => admitWithToken(deps, access_token))).toEqual([]);
  expect(await problemsOf((deps) => revokeSession(deps, world.caller, world.id, bootstrap.session_id))).toEqual([]);
});

test('a mobile token that is issued or redeemed leaves nothing of a deleted user', async () => {
  const world = await openWorld();
  const issued = await runEveryRace(world, (deps) => issueMobileToken(deps, world.caller, { userId: world.id }));
  expect(issued.problems).toEqual([]);
  expect(issued.writes).toEqual([expect.stringMatching(/put M#.*put MT#/)]);
  const { token } = await issueMobileToken(world.deps, world.caller, { userId: world.id });
  const redeemed = await runEveryRace(world, (deps) =>
    exchangeToken(deps, { client_token: token, installation_id: body.installation_id }),
  );
  expect(redeemed.problems).toEqual([]);
  expect(redeemed.writes).toEqual([expect.stringMatching(/delete M#.*put SDK#.*put INSTALL#/)]);
});

test('tokens that were not redeemed are erased with their user', async () => {
  const world = await openWorld();
  const tokens = await Promise.all(
    oneTo(3).map(() => issueMobileToken(world.deps, world.caller, { userId: world.id })),
  );
  const isToken = ({ pk }: Item) => String(pk).startsWith('M#');
  expect(world.table.rows().filter(isToken)).toHaveLength(3);
  await exchangeToken(world.deps, { client_token: tokens[0]?.token ?? '' });
  await world.delete();
  const eraser = createEraser(world);
  await eraser.run();
  expect(world.table.rows().filter(isToken)).toEqual([]);
  expect(listUserEvents(world).at(-1)).toMatchObject({
    type: 'user.deleted',
    erased: { mobile_tokens: 2, sdk_sessions: 1 },
  });
});
