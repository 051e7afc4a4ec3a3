import { expect, it } from 'vitest';
import { readToken } from '../../shared/sandbox/provider-server/provider-call.ts';
import { isPath } from '../harness/fake-provider-server.ts';
import { openPhone } from '../harness/phone.ts';
import { exchange } from '../harness/sdk.ts';
import { timeTravelSystem } from '../harness/shared-system.ts';
import { createMember, newEmail } from '../harness/team-members.ts';
import {
  connectUser,
  disconnectedUser,
  readSteps,
  resetSettings,
  setProviderDays,
  webhookHistory,
} from './fixtures.ts';
import { con, dailyTotal, ned, phoneDevice, uploadAndProcess } from './users.ts';
import { contractWorld, dayMs, minuteMs, outcome } from './world.ts';

const world = contractWorld();
const call = (method: string, path: string, body?: object) => world().call(method, path, body);
const consolidationPath = async () => `/v1/users/${await con(world())}/consolidation`;
const patch = async (body: object) => call('PATCH', await consolidationPath(), body);
const readConfiguration = async () => (await world().get(await consolidationPath())).body;
const readSetting = async (key: string) =>
  (await readConfiguration()).metrics.find((entry: { key: string }) => entry.key === key);
const readConSteps = async () => readSteps(world(), await con(world()), '2026-03-10');

/** Returns the subject.synced events of a user. */
async function listSyncedEvents(user: string): Promise<{ metrics: string[] }[]> {
  const { events } = (await world().get(`/v1/events?limit=1000&types=subject.synced&user_id=${user}`)).body;
  return events;
}

/** Creates a team member whose phone reported 4321 steps. */
async function createMemberWithSteps(): Promise<{ path: string; user: string; email: string }> {
  const email = newEmail();
  const { member: id, user } = await createMember(world().system.host.deps, world().accountId, { email });
  const phone = await openPhone(world().system, world().key, user);
  await uploadAndProcess(world(), phone, phoneDevice, { daily: [dailyTotal('2026-03-10', 'steps', 4321, 'count')] });
  return { path: `/v1/team/roster/${id}`, user, email };
}

it('124. POST devices makes a pending device with an auth_url', async () => {
  const id = await world().user();
  const { body } = await call('POST', `/v1/users/${id}/devices`, { provider: 'garmin' });
  expect(body).toMatchObject({ provider: 'garmin', status: 'pending' });
  expect(body.auth_url.startsWith(`${world().system.host.baseUrl}/connect/`)).toBe(true);
  const { data } = (await world().get(`/v1/users/${id}/devices`)).body;
  expect(data).toMatchObject([{ id: body.id, status: 'pending' }]);
  const nobody = await call('POST', '/v1/users/usr_nobody/devices', { provider: 'garmin' });
  expect(outcome(nobody)).toBe('404 not_found');
});

it('125. DELETE device de-authorizes the provider', async () => {
  const { providerRequests } = await disconnectedUser(world());
  expect(providerRequests.filter(isPath('oauth/revoke'))).toHaveLength(1);
});

it('126. DELETE device stops syncing and removes historical data', async () => {
  const { id, device, steps, tokens } = await disconnectedUser(world());
  expect([...tokens]).toEqual([expect.any(String)]);
  expect(steps).toBe(4000);
  expect(await readSteps(world(), id, '2026-03-05')).toBeNull();
  const { data } = (await world().get(`/v1/users/${id}/devices`)).body;
  expect(data.filter((each: { id: string }) => each.id === device)).toEqual([]);
  const before = world().fakeProvider.requests.length;
  setProviderDays(world(), 'leaving', { '2026-03-05': 4500, '2026-03-15': 5000 });
  await world().passTime(61 * minuteMs);
  const providerRequests = world().fakeProvider.requests.slice(before);
  expect(providerRequests.filter((request) => tokens.has(readToken(request)))).toEqual([]);
  expect(await readSteps(world(), id, '2026-03-15')).toBeNull();
});

it('127. PATCH consolidation that differs answers reconsolidating', async () => {
  await resetSettings(world());
  const result = await patch({ metrics: { steps: { method: 'max' } } });
  expect([result.status, result.body.status]).toEqual([202, 'reconsolidating']);
});

it('128. the setting is stored before the response', async () => {
  await resetSettings(world());
  await patch({ metrics: { steps: { method: 'avg' } } });
  expect(await readSetting('steps')).toMatchObject({ method: 'avg', overridden: true });
});

it('129. history is rebuilt asynchronously', async () => {
  await resetSettings(world());
  expect(await readConSteps()).toBe(300);
  const { body } = await patch({ metrics: { steps: { method: 'sum' } } });
  expect(body.status).toBe('reconsolidating');
  await world().settle();
  expect(await readConSteps()).toBe(400);
});

it('130. close-together changes coalesce into one rebuild', async () => {
  await resetSettings(world());
  const user = await con(world());
  const before = (await listSyncedEvents(user)).length;
  const methods = ['max', 'avg', 'sum', 'max', 'avg', 'sum', 'max', 'avg', 'max', 'sum'];
  for (const method of methods) await patch({ metrics: { steps: { method }, weight: { method: 'avg' } } });
  await world().settle();
  const result = (await listSyncedEvents(user)).length - before;
  expect(result).toBeGreaterThanOrEqual(1);
  expect(result).toBeLessThanOrEqual(2);
  expect(await readConSteps()).toBe(400);
});

it('131. a subject.synced webhook follows when the rebuild changes data', async () => {
  const { received, beforeSettings, id } = await webhookHistory(world());
  const events = received.slice(beforeSettings).map(({ body }) => JSON.parse(body));
  expect(events).toContainEqual(expect.objectContaining({ event_type: 'subject.synced', user_id: id }));
  // No device reported caffeine, so this setting changes no data.
  await resetSettings(world());
  const user = await con(world());
  const before = (await listSyncedEvents(user)).length;
  expect((await patch({ metrics: { caffeine: { method: 'max' } } })).body.status).toBe('reconsolidating');
  await world().settle();
  expect(await listSyncedEvents(user)).toHaveLength(before);
});

it('132. PATCH consolidation that equals what is stored answers unchanged', async () => {
  await resetSettings(world());
  await patch({ metrics: { steps: { method: 'max' } } });
  await world().settle();
  const again = await patch({ metrics: { steps: { method: 'max' } } });
  expect([again.status, again.body.status]).toEqual([202, 'unchanged']);
});

it('133. a null method restores the default method', async () => {
  await resetSettings(world());
  await patch({ metrics: { steps: { method: 'sum' } } });
  await world().settle();
  await patch({ metrics: { steps: { method: null } } });
  expect(await readSetting('steps')).toMatchObject({ method: 'merge', default_method: 'merge', overridden: false });
  await world().settle();
  expect(await readConSteps()).toBe(300);
});

it('134. DELETE consolidation restores the defaults and removes exclusions', async () => {
  await resetSettings(world());
  const before = await readConfiguration();
  await patch({ metrics: { steps: { method: 'sum' } }, providers: { samsung_health: false } });
  await world().settle();
  expect(await readConSteps()).toBe(100);
  const result = await call('DELETE', await consolidationPath());
  expect([result.status, result.body.status]).toEqual([202, 'reconsolidating']);
  expect(await readConfiguration()).toEqual(before);
  await world().settle();
  expect(await readConSteps()).toBe(300);
});

it('135. DELETE consolidation leaves connected providers and workouts as they are', async () => {
  await resetSettings(world());
  const id = await con(world());
  const seen = async () => [
    (await world().get(`/v1/users/${id}/devices`)).body,
    (await world().get(`/v1/users/${id}/workouts?from_date=2026-03-01&to_date=2026-03-14`)).body,
  ];
  const before = await seen();
  expect(before).toMatchObject([{ data: [{ status: 'active' }, { status: 'active' }] }, { data: [{ type: 'yoga' }] }]);
  await patch({ metrics: { steps: { method: 'sum' } } });
  await call('DELETE', await consolidationPath());
  await world().settle();
  expect(await seen()).toEqual(before);
});

it('136. DELETE user disconnects providers and deletes data asynchronously', async () => {
  const { id } = await connectUser(world(), 'erased', { '2026-03-05': 3000 });
  const before = world().fakeProvider.requests.length;
  const result = await call('DELETE', `/v1/users/${id}`);
  expect([result.status, result.body]).toMatchObject([202, { id, status: 'deleting' }]);
  await world().settle();
  await world().passTime(2 * minuteMs);
  expect(world().fakeProvider.requests.slice(before).filter(isPath('oauth/revoke'))).toHaveLength(1);
  const { events } = (await world().get(`/v1/events?limit=1000&types=user.deleted&user_id=${id}`)).body;
  expect(events).toHaveLength(1);
  expect(events[0].erased).toMatchObject({ devices: 1 });
});

it('137. deletion is irreversible', async () => {
  const reference = { external_ref: 'comes-again' };
  const id = await world().user(reference);
  const phone = await openPhone(world().system, world().key, id);
  await uploadAndProcess(world(), phone, phoneDevice, { daily: [dailyTotal('2026-03-10', 'steps', 10, 'count')] });
  await call('DELETE', `/v1/users/${id}`);
  for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
    expect(outcome(await call(method, `/v1/users/${id}`, body))).toBe('404 not_found');
  const again = await world().user(reference);
  expect(again).not.toBe(id);
  expect(await readSteps(world(), again, '2026-03-10')).toBeNull();
});

it('138. an archived member keeps account and health data', async () => {
  const { path, user } = await createMemberWithSteps();
  const result = await call('PATCH', path, { status: 'archived' });
  expect([result.status, result.body]).toMatchObject([200, { status: 'archived', user_id: user }]);
  expect((await world().get(`/v1/users/${user}`)).body.status).toBe('active');
  expect(await readSteps(world(), user, '2026-03-10')).toBe(4321);
});

it('139. an archived member can be reactivated', async () => {
  const { member: id } = await createMember(world().system.host.deps, world().accountId);
  const path = `/v1/team/roster/${id}`;
  await call('PATCH', path, { status: 'archived' });
  expect((await call('PATCH', path, { status: 'active' })).body).toMatchObject({ status: 'active', archived_at: null });
  expect((await world().get(path)).body.status).toBe('active');
});

it("140. removing a member revokes the organization's sharing", async () => {
  const { path, user } = await createMemberWithSteps();
  const token = await world().system.userToken(world().key, user);
  expect(await readSteps(world(), user, '2026-03-10')).toBe(4321);
  await call('DELETE', path);
  expect((await world().get(`/v1/users/${user}`)).body.status).toBe('unshared');
  const range = 'start_date=2026-03-10&end_date=2026-03-10';
  const reads = ['daily', 'scores', 'sleep', 'workouts', `timeseries?metrics=steps&${range}`];
  for (const read of reads)
    expect([read, outcome(await world().get(`/v1/users/${user}/${read}`))]).toEqual([read, '403 sharing_revoked']);
  expect(outcome(await call('POST', '/v1/auth/user-token', { user_id: user }))).toBe('403 sharing_revoked');
  expect((await world().get(`/v1/users/${user}/daily`, token)).status).toBeGreaterThanOrEqual(400);
});

it('141. removing a member removes the roster projection', async () => {
  const { member: id } = await createMember(world().system.host.deps, world().accountId);
  const roster = async () => (await world().get('/v1/team/roster')).body.data.map((each: { id: string }) => each.id);
  expect(await roster()).toContain(id);
  await call('DELETE', `/v1/team/roster/${id}`);
  expect(await roster()).not.toContain(id);
  expect(outcome(await world().get(`/v1/team/roster/${id}`))).toBe('404 not_found');
});

it('142. removing again is 204', async () => {
  const { member: id } = await createMember(world().system.host.deps, world().accountId);
  for (const _time of [1, 2]) expect((await call('DELETE', `/v1/team/roster/${id}`)).status).toBe(204);
  expect(outcome(await call('DELETE', '/v1/team/roster/mem_nobody'))).toBe('404 not_found');
});

const invitations = '/v1/team/roster/invitations';

it('143. an invitation can be revoked; one that is inactive stays 204', async () => {
  const { id } = (await call('POST', invitations, { email: newEmail() })).body;
  for (const _time of [1, 2]) {
    expect((await call('DELETE', `${invitations}/${id}`)).status).toBe(204);
    expect((await world().get(`${invitations}/${id}`)).body.status).toBe('revoked');
  }
});

it('144. an invitation is valid for 14 days', async () => {
  const far = await timeTravelSystem();
  const { live_key: token } = await far.account();
  const invited = (await far.call('POST', invitations, { token, body: { email: newEmail() } })).body;
  expect(Date.parse(invited.expires_at) - Date.parse(invited.created_at)).toBe(14 * dayMs);
  const status = async () => (await far.call('GET', `${invitations}/${invited.id}`, { token })).body.status;
  far.clock.advance(14 * dayMs - minuteMs);
  expect(await status()).toBe('pending');
  far.clock.advance(minuteMs);
  expect(await status()).toBe('expired');
});

it('145. a mobile token is consumed by its use', async () => {
  const { body } = await call('POST', '/v1/auth/mobile-token', { user_id: await ned(world()) });
  expect((await exchange(world().system, body.token)).status).toBe(200);
  expect(outcome(await exchange(world().system, body.token))).toBe('401 invalid_token');
});
