// A member who was removed from the team: every path to their data is closed until they join again.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { utcDay } from '../../shared/platform/time/local-day.ts';
import { avoidMidnight } from '../harness/clock.ts';
import { openPage, pathIn } from '../harness/connect-steps.ts';
import { openPhone } from '../harness/phone.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import {
  createCredentials,
  exchange,
  installation,
  makeUpload,
  refresh,
  requestSession,
  upload,
} from '../harness/sdk.ts';
import type { ApiResponse, RequestOptions } from '../harness/send-request.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { createInvitation, createMember } from '../harness/team-members.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const dayMs = 24 * 3_600_000;
/** Numbers and words that occur only in this user's data. */
const secrets = ['31337', '40417', '5150', '117.3', 'Secret run'];

/** Returns two nights, two workouts and some samples of the last days. */
function recordsAt(nowMs: number): object {
  const at = (days: number, hours: number) => new Date(Math.floor(nowMs / dayMs - days) * dayMs + hours * 3_600_000);
  const night = (days: number, asleep_minutes: number) => ({
    ...{ start: at(days + 1, 23).toISOString(), end: at(days, 7).toISOString() },
    ...{ asleep_minutes, in_bed_minutes: 480 },
  });
  const run = (days: number) => ({
    ...{ type: 'running', name: 'Secret run', start: at(days, 10).toISOString(), end: at(days, 11).toISOString() },
    ...{ calories: 5150, heart_rate: [{ timestamp: at(days, 10.1).toISOString(), bpm: 117.3 }] },
  });
  return {
    time_zone: 'UTC',
    device: { name: 'Watch', model: 'W1', type: 'wrist' },
    samples: [{ metric: 'steps', start: at(1, 12).toISOString(), value: 31_337, unit: 'count' }],
    daily: [{ metric: 'steps', date: utcDay(nowMs - 2 * dayMs), value: 40_417, unit: 'count' }],
    sleep: [night(1, 401), night(2, 402)],
    workouts: [run(1), run(2)],
  };
}

/** Creates a user with data, together with every token, link and cursor ever issued for them. */
async function createSharingUser(system: System) {
  avoidMidnight(system.clock);
  const { live_key: key, account_id } = await system.account();
  const form1 = await system.form1Key(account_id);
  const hook = await system.call('POST', '/v1/webhooks', { token: key, body: { url: receiver.url, events: ['*'] } });
  const sharingMember = await createMember(system.host.deps, account_id, { email: `${randomUUID()}@example.com` });
  const path = `/v1/users/${sharingMember.user}`;
  const phone = await openPhone(system, key, sharingMember.user);
  await phone.upload(recordsAt(system.clock.now()));
  await system.host.drain();
  const get = (to: string, options: RequestOptions = {}) => system.call('GET', path + to, { token: key, ...options });
  const today = utcDay(system.clock.now());
  const range = `from_date=${utcDay(system.clock.now() - 9 * dayMs)}&to_date=${today}`;
  const rows = `start_date=${utcDay(system.clock.now() - 9 * dayMs)}&end_date=${today}`;
  const [nights, workouts] = [await get(`/sleep?${range}&limit=1`), await get(`/workouts?${range}&limit=1`)];
  const request = installation();
  const idempotencyKey = randomUUID();
  const session = await requestSession(system, key, sharingMember.user, request, idempotencyKey);
  const body = { user_id: sharingMember.user };
  const issue = (name: string) => system.call('POST', `/v1/auth/${name}`, { token: key, body });
  return {
    ...{ system, key, form1, account: account_id, path, phone, get, range, rows, body, issue, request, idempotencyKey },
    ...sharingMember,
    hook: hook.body.data.id as string,
    yesterday: utcDay(system.clock.now() - dayMs),
    daily: await get(`/daily?${range}&types=steps`),
    workout: workouts.body.data[0].id as string,
    cursors: { sleep: nights.body.next_cursor as string, workouts: workouts.body.next_cursor as string },
    tokens: [(await issue('user-token')).body.token, (await issue('user-token/refresh')).body.token] as string[],
    mobile: (await issue('mobile-token')).body.token as string,
    client: session.body.client_token as string,
    other: await createCredentials(system, key, sharingMember.user, {
      provider: 'health_connect',
      platform: 'android',
    }),
    link: (await system.call('POST', `${path}/connect-links`, { token: key, body: {} })).body.url as string,
    auth: (await system.call('POST', `${path}/devices`, { token: key, body: { provider: 'oura' } })).body.auth_url,
    delivery: (await system.call('GET', `/v1/webhooks/${hook.body.data.id}/deliveries`, { token: key })).body.data[0]
      .id,
  };
}
type SharingUser = Awaited<ReturnType<typeof createSharingUser>>;

type AccessPath = [what: string, send: () => Promise<ApiResponse>];

/** The rejected requests, by status and error code. Pages have no error code. */
function refusedPaths(of: SharingUser): Record<string, AccessPath[]> {
  const { system, get, range, rows, phone, path, body, tokens, cursors, workout, yesterday } = of;
  const [token = '', refreshed = ''] = tokens;
  const post = (to: string, sent: object, options: RequestOptions = {}) =>
    system.call('POST', to, { token: of.key, body: sent, ...options });
  const reads: Record<string, string> = {
    daily: `/daily?${range}`,
    'one metric': `/daily?${range}&types=steps`,
    'daily with sources': `/daily?${range}&include_sources=true`,
    'daily in miles': `/daily?${range}&unit_system=imperial`,
    'daily of the default days': '/daily',
    scores: `/scores?${range}`,
    'scores with factors': `/scores?${range}&include_factors=true`,
    'score history': `/scores/history?${rows}`,
    sleep: `/sleep?${range}`,
    'sleep with sources': `/sleep?${range}&include_sources=true`,
    'the next page of sleep': `/sleep?${range}&limit=1&cursor=${cursors.sleep}`,
    workouts: `/workouts?${range}`,
    'the next page of workouts': `/workouts?${range}&limit=1&cursor=${cursors.workouts}`,
    'a workout': `/workouts/${workout}`,
    samples: `/timeseries?metrics=steps,heart_rate&${rows}`,
    'samples in columns': `/timeseries?metric=steps&date=${yesterday}&resolution=1h`,
  };
  const form1Reads = {
    daily: `/daily?${rows}`,
    scores: '/scores',
    'score history': `/scores/history?${rows}`,
    sleep: `/sleep?${rows}`,
    workouts: `/workouts?${rows}`,
    'a page of workouts': `/workouts?${rows}&page=2&per_page=1`,
    samples: `/timeseries?metrics=steps&${rows}`,
  };
  const etag = of.daily.headers.get('etag') ?? '';
  return {
    '403 sharing_revoked': [
      ...Object.entries(reads).map(([what, to]): AccessPath => [`${what}, by the key`, () => get(to)]),
      ...Object.entries(form1Reads).map(
        ([what, to]): AccessPath => [`${what}, in Form 1`, () => get(to, { token: of.form1 })],
      ),
      ...['daily', 'scores', 'the next page of sleep', 'a workout', 'samples in columns'].map(
        (what): AccessPath => [`${what}, by a user token`, () => get(reads[what] ?? '', { token })],
      ),
      ['the devices, by a user token', () => get('/devices', { token })],
      ['daily, by a refreshed token', () => get('/daily', { token: refreshed })],
      ['daily, by its ETag', () => get(`/daily?${range}&types=steps`, { headers: { 'if-none-match': etag } })],
      ['daily, by any ETag', () => get(`/daily?${range}&types=steps`, { headers: { 'if-none-match': '*' } })],
      ['daily, compressed', () => get(`/daily?${range}`, { headers: { 'accept-encoding': 'br' } })],
      ['daily, with an escaped id', () => get(`/%64aily?${range}`)],
      ['a new user token', () => of.issue('user-token')],
      ['a refreshed user token', () => of.issue('user-token/refresh')],
      ['a mobile token', () => of.issue('mobile-token')],
      ['a session', () => requestSession(system, of.key, of.user)],
      ['the same session again', () => requestSession(system, of.key, of.user, of.request, of.idempotencyKey)],
      ['a session of the same phone', () => requestSession(system, of.key, of.user, of.request)],
      ['an upload', () => phone.upload(recordsAt(system.clock.now()))],
      ['an empty upload', () => phone.upload(makeUpload())],
      ['an upload from another phone', () => upload(system, of.other.access_token, recordsAt(system.clock.now()))],
      ['an explanation', () => get('/daily/2026-03-14/steps/explanation')],
      ['an explanation of a score', () => get('/daily/2026-03-14/sleep_score/explanation')],
      ['a preview', () => post(`${path}/consolidation/preview`, { metrics: { steps: { method: 'max' } } })],
      ['a new connection', () => post(`${path}/devices`, { provider: 'oura' })],
      ['a new connection, in Form 1', () => post(`${path}/devices`, { provider: 'oura' }, { token: of.form1 })],
      ['a connect link', () => post(`${path}/connect-links`, {})],
    ],
    '401 invalid_token': [
      ['the client token', () => exchange(system, of.client)],
      ['the mobile token', () => exchange(system, of.mobile)],
      ['the refresh token', () => refresh(system, phone.refreshToken)],
      [
        'the sign-out of the phone',
        () => system.call('DELETE', '/v1/sdk/sessions/current', { token: phone.accessToken }),
      ],
      ['daily, by the mobile token', () => get('/daily', { token: of.mobile })],
    ],
    '403 insufficient_scope': [['daily, by the phone', () => get('/daily', { token: phone.accessToken })]],
    '403 wrong_user': [
      ['somebody else, by a user token', () => system.call('GET', '/v1/users/usr_1/daily', { token })],
    ],
    '404 not_found': [
      ['daily, in capitals', () => system.call('GET', `${path.toUpperCase()}/daily`, { token: of.key })],
      ['daily, with a trailing slash', () => get('/daily/')],
      ['daily, with two slashes', () => system.call('GET', `/v1//users/${of.user}/daily`, { token: of.key })],
      [
        'daily, of an uppercase user id',
        () => system.call('GET', `/v1/users/${of.user.toUpperCase()}/daily`, { token: of.key }),
      ],
    ],
    '405 method_not_allowed': [['daily, by POST', () => post(`${path}/daily`, body)]],
    '410 undefined': [
      ['the connect link', () => openPage(system, of.link)],
      [
        'the form of the connect link',
        () =>
          system.call('POST', pathIn(of.link), {
            raw: 'connect=oura',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          }),
      ],
      ['the link to a provider', () => openPage(system, of.auth)],
      ['the link they joined with', () => system.call('GET', `/join/${of.token}`)],
      ['the form of that link', () => system.call('POST', `/join/${of.token}`)],
    ],
  };
}

/** The requests that are still answered, without revealing any of the data. */
function allowedPaths(of: SharingUser): AccessPath[] {
  const { system, get, key, hook, delivery } = of;
  const call = (method: string, to: string, body?: object) =>
    system.call(method, to, { token: key, ...(body ? { body } : {}) });
  return [
    ['the user', () => get('')],
    ['the user, in Form 1', () => get('', { token: of.form1 })],
    ['the users', () => call('GET', '/v1/users')],
    ['the users, in Form 1', () => system.call('GET', '/v1/users', { token: of.form1 })],
    ['the member’s user', () => call('GET', `/v1/users?member=${of.member}`)],
    ['the devices', () => get('/devices')],
    ['the sessions', () => get('/sdk-sessions')],
    ['the settings', () => get('/consolidation')],
    ['changed settings', () => call('PATCH', `${of.path}/consolidation`, { metrics: { steps: { method: 'max' } } })],
    ['a changed time zone', () => call('PATCH', of.path, { timezone: 'Asia/Tokyo' })],
    ['the events', () => call('GET', '/v1/events?limit=1000')],
    ['their events', () => call('GET', `/v1/events?user_id=${of.user}`)],
    ['a test event', () => call('POST', `/v1/webhooks/${hook}/test`)],
    ['an old delivery', () => call('POST', `/v1/webhooks/${hook}/deliveries/${delivery}/redeliver`)],
    ['the deliveries', () => call('GET', `/v1/webhooks/${hook}/deliveries`)],
    ['the invitation', () => call('GET', `/v1/team/roster/invitations/${of.id}`)],
  ];
}

const dataEvents = /^(data\.updated|score\.updated|subject\.synced)$/;
async function listEventTypes({ system, key }: SharingUser): Promise<string[]> {
  await system.host.drain();
  const { body } = await system.call('GET', '/v1/events?limit=1000', { token: key });
  return body.events.map(({ event_type }: { event_type: string }) => event_type);
}

test('every path to the data of a removed member is closed, and a new invitation reopens it', async () => {
  const system = await sharedSystem();
  const of = await createSharingUser(system);
  for (const secret of ['31337', '40417']) expect(of.daily.text).toContain(secret);
  const everything = Object.entries(refusedPaths(of)).flatMap(([, ways]) => ways);
  expect(everything.length).toBeGreaterThanOrEqual(50);
  const before = (await listEventTypes(of)).filter((type) => dataEvents.test(type));
  expect(before).toContain('data.updated');

  const removed = await system.call('DELETE', `/v1/team/roster/${of.member}`, { token: of.key });
  expect(removed.status).toBe(204);
  for (const [expected, ways] of Object.entries(refusedPaths(of)))
    for (const [what, way] of ways) {
      // Refill the rate limit, because this test is not about limits.
      system.clock.advance(50);
      const response = await way();
      expect(`${response.status} ${response.body?.error}`, what).toBe(expected);
      for (const secret of secrets) expect(response.text, what).not.toContain(secret);
    }
  const head = await fetch(`${system.host.baseUrl}${of.path}/daily`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${of.key}` },
  });
  expect(head.status).toBe(403);
  const [revoked] = (await of.get('/daily')).text.match(/This user no longer shares data with you[^"]*/) ?? [];
  expect(revoked).toBe('This user no longer shares data with you. Invite them again to read it.');

  for (const [what, way] of allowedPaths(of)) {
    const response = await way();
    expect(response.status, what).toBeLessThan(300);
    for (const secret of secrets) expect(response.text, what).not.toContain(secret);
  }
  expect((await of.get('')).body).toMatchObject({ status: 'unshared', timezone: 'Asia/Tokyo' });
  expect((await of.get('/sdk-sessions')).body).toEqual({ data: [] });
  await system.host.drain();
  for (const { body } of receiver.received) for (const secret of secrets) expect(body).not.toContain(secret);
  const after = await listEventTypes(of);
  expect(after.filter((type) => dataEvents.test(type))).toEqual(before);
  expect(after.filter((type) => type === 'member.removed')).toHaveLength(1);

  // Everything is as before, except for the credentials that were issued earlier.
  await system.call('PATCH', of.path, { token: of.key, body: { timezone: null } });
  await system.call('DELETE', `${of.path}/consolidation`, { token: of.key });
  await createMember(system.host.deps, of.account, { user_id: of.user });
  await system.host.drain();
  expect((await of.get('')).body).toMatchObject({ status: 'active' });
  expect((await of.get(`/daily?${of.range}&types=steps`)).text).toBe(of.daily.text);
  expect((await of.get(`/sleep?${of.range}`)).body.data).toHaveLength(2);
  expect((await of.get(`/sleep?${of.range}&limit=1&cursor=${of.cursors.sleep}`)).body.data).toHaveLength(1);
  expect((await of.get(`/workouts/${of.workout}`)).text).toContain('Secret run');
  const dead: AccessPath[] = [
    ...of.tokens.map((token): AccessPath => ['an old user token', () => of.get('/daily', { token })]),
    ['an old user token, for devices', () => of.get('/devices', { token: of.tokens[0] })],
    ['an upload with an old token', () => of.phone.upload(recordsAt(system.clock.now()))],
    ['an empty upload', () => of.phone.upload(makeUpload())],
    ['the old refresh token', () => refresh(system, of.phone.refreshToken)],
    ['another old refresh token', () => refresh(system, of.other.refresh_token)],
    ['the old client token', () => exchange(system, of.client)],
    ['the old mobile token', () => exchange(system, of.mobile)],
  ];
  for (const [what, way] of dead) {
    const response = await way();
    expect([response.status, response.body.error], what).toEqual([401, 'invalid_token']);
  }
  for (const url of [of.link, of.auth]) expect((await openPage(system, url)).status).toBe(410);

  const good = { token: await system.userToken(of.key, of.user) };
  expect((await of.get('/daily', good)).status).toBe(200);
  const again = await requestSession(system, of.key, of.user, of.request, of.idempotencyKey);
  const { access_token } = (await exchange(system, again.body.client_token)).body;
  expect((await upload(system, access_token, recordsAt(system.clock.now()))).status).toBe(202);
  await system.host.drain();
  expect((await listEventTypes(of)).at(-1)).not.toBe('member.removed');
});

test('an invitation to the previous address names the user, and its page explains what joining and leaving do', async () => {
  const system = await sharedSystem();
  const { live_key: token, account_id } = await system.account();
  const email = `${randomUUID()}@example.com`;
  const { member, user } = await createMember(system.host.deps, account_id, { email });
  await system.call('DELETE', `/v1/team/roster/${member}`, { token });
  const invitation = await createInvitation(system.host.deps, account_id, { email });
  const shown = await system.call('GET', `/v1/team/roster/invitations/${invitation.id}`, { token });
  expect(shown.body).toMatchObject({ user_id: user, member_id: null });
  expect((await system.call('GET', `/v1/users/${user}`, { token })).body.status).toBe('unshared');
  const page = await system.call('GET', `/join/${invitation.token}`);
  for (const word of ['the data that is already there', 'no longer shared']) expect(page.text).toContain(word);
  await system.call('POST', `/join/${invitation.token}`);
  expect((await system.call('GET', `/v1/users/${user}`, { token })).body.status).toBe('active');
});
