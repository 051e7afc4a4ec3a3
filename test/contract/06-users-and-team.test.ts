import { expect, it } from 'vitest';
import { openPhone } from '../harness/phone.ts';
import { createInvitation, createMember, newEmail } from '../harness/team-members.ts';
import { accountWithManyUsers, documentedStatuses, rateLimitedRequests, readSteps, suspendedKey } from './fixtures.ts';
import { ada, con, dailyTotal, phoneDevice, uploadAndProcess } from './users.ts';
import { contractWorld, dayMs, outcome } from './world.ts';

const world = contractWorld();
const get = (path: string, token?: string) => world().get(path, token);
const getInForm1 = (path: string) => get(path, world().form1Key);
const call = (method: string, path: string, body?: object, token?: string) => world().call(method, path, body, token);
const idsIn = ({ body }: { body: { data: { id: string }[] } }): string[] => body.data.map(({ id }) => id);

it('146. GET /v1/providers lists the cloud providers available for hosted authorization', async () => {
  const id = await world().user();
  const { providers: listed } = (await get('/v1/providers')).body;
  expect(listed.map(({ id: provider }: { id: string }) => provider).sort()).toEqual(['garmin', 'ultrahuman']);
  const { providers } = (await get('/v1/providers?include=unavailable')).body;
  expect(providers.length).toBeGreaterThan(5);
  for (const { id: provider, connection, available } of providers) {
    expect([provider, connection]).toEqual([provider, 'cloud']);
    const result = await call('POST', `/v1/users/${id}/devices`, { provider });
    expect([provider, outcome(result)]).toEqual([provider, available ? '200' : '400 invalid_provider']);
  }
});

it('147. GET /v1/consolidation/catalog lists every key that can be set', async () => {
  const catalog = await get('/v1/consolidation/catalog');
  const { metrics } = (await get(`/v1/users/${await con(world())}/consolidation`)).body;
  const keys = (entries: { key: string }[]) => entries.map(({ key }) => key);
  expect([catalog.status, keys(catalog.body.metrics)]).toEqual([200, keys(metrics)]);
});

it('148. the catalogs answer 401, 402 and 429', async () => {
  const { atOnce } = await rateLimitedRequests(world());
  for (const path of ['/v1/providers', '/v1/consolidation/catalog']) {
    expect(outcome(await world().get(path, null))).toBe('401 unauthorized');
    expect(outcome(await get(path, await suspendedKey(world())))).toBe('402 payment_required');
    const result = atOnce.filter((each) => each.path === path).map((each) => outcome(each.response));
    expect(new Set(result)).toEqual(new Set(['200', '429 rate_limited']));
  }
});

it('149. POST /v1/users requires a body and answers 201', async () => {
  expect(outcome(await call('POST', '/v1/users'))).toBe('400 invalid_body');
  const result = await call('POST', '/v1/users', { timezone: 'Europe/Rome', profile: { height_cm: 170 } });
  expect([result.status, result.body]).toMatchObject([201, { timezone: 'Europe/Rome', profile: { height_cm: 170 } }]);
});

it('150. POST /v1/users answers 400, 401, 402 and 409', async () => {
  const { id } = await ada(world());
  const create = (body: object, token: string | null = world().key) => world().call('POST', '/v1/users', body, token);
  expect(outcome(await create({ surprise: 1 }))).toBe('400 invalid_body');
  expect(outcome(await create({}, null))).toBe('401 unauthorized');
  expect(outcome(await create({}, await suspendedKey(world())))).toBe('402 payment_required');
  const conflict = await create({ external_ref: 'ada-1' });
  expect([outcome(conflict), conflict.body.details]).toEqual(['409 external_ref_taken', { user_id: id }]);
});

it('151. external_ref matches exactly', async () => {
  const { id } = await ada(world());
  await world().user({ external_ref: 'ada-12' });
  expect(idsIn(await get('/v1/users?external_ref=ada-1'))).toEqual([id]);
  for (const other of ['ada', 'ADA-1', 'ada-1%20', 'ada-*'])
    expect((await get(`/v1/users?external_ref=${other}`)).body).toEqual({ data: [], next_cursor: null });
});

it('152. an empty external_ref is refused', async () => {
  const result = await get('/v1/users?external_ref=');
  expect([outcome(result), result.body.details.issues[0].path]).toEqual(['400 invalid_request', 'external_ref']);
});

it('153. limit is 1 to 100, 50 by default', async () => {
  const { key, ids } = await accountWithManyUsers(world());
  expect(ids.length).toBeGreaterThan(100);
  const count = async (query: string) => idsIn(await get(`/v1/users${query}`, key)).length;
  expect([await count(''), await count('?limit=1'), await count('?limit=100')]).toEqual([50, 1, 100]);
  for (const limit of ['0', '101', '-1', '1.5', 'ten'])
    expect(outcome(await get(`/v1/users?limit=${limit}`, key))).toBe('400 invalid_request');
});

it('154. cursor is opaque and not empty', async () => {
  const { key, ids } = await accountWithManyUsers(world());
  const first = await get('/v1/users?limit=100', key);
  const { next_cursor } = first.body;
  const rest = await get(`/v1/users?limit=100&cursor=${next_cursor}`, key);
  expect([...idsIn(first), ...idsIn(rest)].sort()).toEqual([...ids].sort());
  expect(Buffer.from(next_cursor, 'base64url').toString()).not.toContain('usr_');
  expect(outcome(await get('/v1/users?limit=100&cursor=', key))).toBe('400 invalid_request');
  expect(outcome(await get(`/v1/users?limit=100&cursor=${next_cursor}x`, key))).toBe('400 invalid_cursor');
});

it('155. Form 1 finds a user by reference_id', async () => {
  const { id } = await ada(world());
  expect((await getInForm1('/v1/users?reference_id=ada-1')).body).toMatchObject({ data: [{ id }], meta: { total: 1 } });
  expect((await getInForm1('/v1/users?reference_id=ada')).body).toMatchObject({ data: [], meta: { total: 0 } });
});

it('156. page is 1 by default', async () => {
  const { form1Key } = await accountWithManyUsers(world());
  const result = await get('/v1/users', form1Key);
  expect(result.body.meta.page).toBe(1);
  expect(result.body).toEqual((await get('/v1/users?page=1', form1Key)).body);
});

it('157. per_page is 20 by default and 100 at most', async () => {
  const { form1Key, ids } = await accountWithManyUsers(world());
  const pages = async (query: string) => idsIn(await get(`/v1/users?${query}`, form1Key));
  expect([(await pages('')).length, (await pages('per_page=100')).length]).toEqual([20, 100]);
  expect(outcome(await get('/v1/users?per_page=101', form1Key))).toBe('400 invalid_request');
  expect([...(await pages('per_page=100')), ...(await pages('per_page=100&page=2'))].sort()).toEqual([...ids].sort());
});

it('158. Form 1 answers data and meta with page, per_page and total', async () => {
  const { form1Key, ids } = await accountWithManyUsers(world());
  const { body } = await get('/v1/users?page=2&per_page=30', form1Key);
  expect([Object.keys(body).sort(), body.data.length]).toEqual([['data', 'meta'], 30]);
  expect(body.meta).toEqual({ page: 2, per_page: 30, total: ids.length });
});

it('159. GET /v1/users answers no status but 400, 401, 402, 422 and 429', async () => {
  expect([400, 401, 402, 422, 429]).toEqual(
    expect.arrayContaining(await documentedStatuses(world(), 'GET', '/v1/users')),
  );
});

it('160. GET user answers profile, sync status and score status', async () => {
  const { id } = await ada(world());
  const user = { id, timezone: 'Europe/Berlin', status: 'active', score_status: 'ready' };
  const profile = { date_of_birth: '1986-03-14', weight_kg: 62 };
  const synced = { last_sync_at: expect.stringMatching(/Z$/), last_score_at: expect.stringMatching(/Z$/) };
  expect((await get(`/v1/users/${id}`)).body).toMatchObject({ ...user, ...synced, external_ref: 'ada-1', profile });
  const { body } = await getInForm1(`/v1/users/${id}`);
  expect(Object.keys(body)).toEqual(['data']);
  expect(body.data).toMatchObject({ ...user, ...synced, reference_id: 'ada-1', profile });
});

it('161. PATCH user requires a body and answers the updated user', async () => {
  const id = await world().user({ external_ref: 'before', profile: { height_cm: 170 } });
  expect(outcome(await call('PATCH', `/v1/users/${id}`))).toBe('400 invalid_body');
  const result = await call('PATCH', `/v1/users/${id}`, { timezone: 'Asia/Tokyo', profile: { weight_kg: 70 } });
  const profile = { height_cm: 170, weight_kg: 70 };
  expect([result.status, result.body]).toMatchObject([
    200,
    { id, timezone: 'Asia/Tokyo', external_ref: 'before', profile },
  ]);
  expect((await get(`/v1/users/${id}`)).body).toMatchObject(result.body);
});

it('162. DELETE user answers 202', async () => {
  const id = await world().user();
  const result = await call('DELETE', `/v1/users/${id}`);
  const accepted = { id, status: 'deleting', requested_at: expect.stringMatching(/Z$/) };
  expect([result.status, result.body]).toEqual([202, accepted]);
  expect(outcome(await get(`/v1/users/${id}`))).toBe('404 not_found');
});

it('163. calls by id answer no status but 400, 401, 402, 404 and 429', async () => {
  const listed = [400, 401, 402, 404, 429];
  for (const [method, path] of [
    ['GET', '/v1/users/{id}'],
    ['DELETE', '/v1/users/{id}'],
    ['GET', '/v1/users/{id}/consolidation'],
    ['DELETE', '/v1/users/{id}/consolidation'],
  ] as const)
    expect(listed).toEqual(expect.arrayContaining(await documentedStatuses(world(), method, path)));
});

const roster = '/v1/team/roster';
const invitations = `${roster}/invitations`;
const addMember = () => createMember(world().system.host.deps, world().accountId);

it('164. roster changes need a live key', async () => {
  const { member } = await addMember();
  const changes = [
    ['POST', invitations, { email: newEmail() }],
    ['PATCH', `${roster}/${member}`, { status: 'archived' }],
    ['DELETE', `${roster}/${member}`, undefined],
  ] as const;
  for (const [method, path, body] of changes) {
    const refused = await call(method, path, body, world().sandboxKey);
    expect([outcome(refused), refused.body.message]).toEqual(['403 insufficient_scope', expect.stringMatching(/live/)]);
  }
  expect((await get(`${roster}/${member}`)).body.status).toBe('active');
});

it('165. POST invitation creates and sends a 14-day invitation', async () => {
  expect(outcome(await call('POST', invitations))).toBe('400 invalid_body');
  const email = newEmail();
  const result = await call('POST', invitations, { email, name: 'Alex Kim' });
  expect([result.status, result.body]).toMatchObject([
    201,
    { email, name: 'Alex Kim', status: 'pending', member_id: null },
  ]);
  expect(Date.parse(result.body.expires_at) - Date.parse(result.body.created_at)).toBe(14 * dayMs);
  await world().settle();
  const [message] = world().system.host.mailbox.messages();
  expect([message?.to, message?.text]).toEqual([email, expect.stringMatching(/\/join\/[\w-]+/)]);
});

it('166. GET invitation answers its status', async () => {
  const { id, token } = await createInvitation(world().system.host.deps, world().accountId);
  expect((await get(`${invitations}/${id}`)).body).toMatchObject({ id, status: 'pending', member_id: null });
  expect((await world().system.call('POST', `/join/${token}`)).status).toBe(200);
  const accepted = { id, status: 'accepted', member_id: expect.stringMatching(/^mem_/) };
  expect((await get(`${invitations}/${id}`)).body).toMatchObject(accepted);
});

it('167. DELETE invitation answers 204', async () => {
  const { id, token } = await createInvitation(world().system.host.deps, world().accountId);
  const result = await call('DELETE', `${invitations}/${id}`);
  expect([result.status, result.text]).toEqual([204, '']);
  expect((await world().system.call('POST', `/join/${token}`)).status).toBe(410);
});

it('168. PATCH roster member answers the current member', async () => {
  const { member: id, user } = await addMember();
  expect(outcome(await call('PATCH', `${roster}/${id}`))).toBe('400 invalid_body');
  const result = await call('PATCH', `${roster}/${id}`, { status: 'archived' });
  expect([result.status, result.body]).toMatchObject([200, { id, user_id: user, status: 'archived' }]);
  expect((await get(`${roster}/${id}`)).body).toEqual(result.body);
});

it('169. DELETE roster member answers 204', async () => {
  const { member: id } = await addMember();
  const result = await call('DELETE', `${roster}/${id}`);
  expect([result.status, result.text]).toEqual([204, '']);
  expect(outcome(await get(`${roster}/${id}`))).toBe('404 not_found');
});

it('170. roster calls answer no status but 400, 401, 402, 404, 409 and 429', async () => {
  const listed = [400, 401, 402, 404, 409, 429];
  for (const [method, path] of [
    ['GET', '/v1/team/roster/invitations/{id}'],
    ['DELETE', '/v1/team/roster/invitations/{id}'],
    ['PATCH', '/v1/team/roster/{id}'],
    ['DELETE', '/v1/team/roster/{id}'],
  ] as const)
    expect(listed).toEqual(expect.arrayContaining(await documentedStatuses(world(), method, path)));
});

it('171. roster changes do not delete account or health data', async () => {
  const email = newEmail();
  const { deps } = world().system.host;
  const { member: id, user } = await createMember(deps, world().accountId, { email });
  const phone = await openPhone(world().system, world().key, user);
  await uploadAndProcess(world(), phone, phoneDevice, { daily: [dailyTotal('2026-03-10', 'steps', 4321, 'count')] });
  await call('PATCH', `${roster}/${id}`, { status: 'archived' });
  expect(await readSteps(world(), user, '2026-03-10')).toBe(4321);
  await call('DELETE', `${roster}/${id}`);
  await world().settle();
  expect((await get(`/v1/users/${user}`)).body.id).toBe(user);
  // Once they are invited again and join, they share all of it again.
  await createMember(deps, world().accountId, { email, user_id: user });
  expect((await get(`/v1/users/${user}`)).body.status).toBe('active');
  expect(await readSteps(world(), user, '2026-03-10')).toBe(4321);
});
