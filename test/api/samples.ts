// One valid request for every operation of the contract, which the tests over all routes start
// from.
import { randomUUID } from 'node:crypto';
import { apiKeyHash } from '../../shared/accounts/accounts.ts';
import { admitApiKey } from '../../shared/accounts/admit-api-key.ts';
import { sandboxCredentials } from '../../shared/connections/client/configured-provider.ts';
import { derivePushKeys } from '../../shared/connections/client/push-keys.ts';
import { sessionRows } from '../../shared/measurements/rows/session-rows.ts';
import { keys } from '../../shared/system/keys.ts';
import { cookieJarOf, openPage, redirectLocation } from '../harness/connect-steps.ts';
import { connectionRow } from '../harness/connection-row.ts';
import { openPhone } from '../harness/phone.ts';
import { consentAt, sandboxAccessToken } from '../harness/sandbox-consent.ts';
import { createCredentials, installation, makeUpload, openSession } from '../harness/sdk.ts';
import { addDevice, addSleep, addWorkouts, ring, sleepRow, watch, workoutRow } from '../harness/stored-data.ts';
import { signPush } from '../harness/sync-world.ts';
import type { System } from '../harness/system.ts';
import { createInvitation, createMember, type InvitationWithToken, newEmail } from '../harness/team-members.ts';

export interface Sample {
  /** Path parameters, including the caller's own user. */
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  /** Sent unchanged instead of `body`, on a route with a raw body. */
  raw?: string;
  headers?: Record<string, string>;
  /** The bearer token, if it is not the API key. */
  token?: string;
  /**
   * The headers that authenticate the caller without a bearer token, such as a signature of the
   * body.
   */
  credential?: (sent: string) => Record<string, string>;
  status: number;
}
export interface World {
  system: System;
  token: string;
  userId: string;
}

export type CreateSample = (world: World) => Promise<Sample> | Sample;

export const samples: Record<string, CreateSample> = {
  createUser: () => ({ body: { timezone: 'Europe/Berlin' }, status: 201 }),
  listUsers: () => ({ query: '?limit=2', status: 200 }),
  getUser: ({ userId }) => ({ params: { id: userId }, status: 200 }),
  updateUser: ({ userId }) => ({ params: { id: userId }, body: { timezone: 'Asia/Tokyo' }, status: 200 }),
  deleteUser: async ({ system, token }) => ({ params: { id: await system.user(token) }, status: 202 }),
  listProviders: () => ({ status: 200 }),
  getConsolidationCatalog: () => ({ status: 200 }),
  listMetrics: () => ({ status: 200 }),
  listWorkoutTypes: () => ({ status: 200 }),
  issueUserToken: ({ userId }) => ({ body: { user_id: userId }, status: 200 }),
  refreshUserToken: ({ userId }) => ({ body: { user_id: userId }, status: 200 }),
  issueMobileToken: ({ userId }) => ({ body: { user_id: userId, scopes: ['sleep'] }, status: 200 }),
  getPublicKeys: () => ({ status: 200 }),
  connectDevice: ({ userId }) => ({ params: { user_id: userId }, body: { provider: 'oura' }, status: 200 }),
  revokeConnectLink: async ({ system, token, userId }) => ({
    params: { id: userId, link_id: (await makeConnectLink(system, token, userId)).id },
    status: 204,
  }),
  createConnectLink: ({ userId }) => ({ params: { id: userId }, body: { providers: ['oura'] }, status: 201 }),
  disconnectDevice: async ({ system, token, userId }) => ({
    params: { user_id: userId, device_id: await makeDevice(system, token, userId) },
    status: 204,
  }),
  syncDevice: async ({ system, userId }) => ({
    params: { user_id: userId, device_id: await makeConnection(system, userId) },
    status: 202,
  }),
  replayDevice: async ({ system, token, userId }) => ({
    params: { user_id: userId, device_id: await makeDevice(system, token, userId) },
    status: 202,
  }),
  listUploads: ({ userId }) => ({ params: { id: userId }, status: 200 }),
  receivePush: ({ system }) => ({ ...signedPush(system), params: { provider: 'oura' }, status: 200 }),
  receivePushAtSecretPath: ({ system }) => ({
    ...signedPush(system),
    params: { provider: 'oura', secret: 'whatever' },
    status: 200,
  }),
  confirmPushAddress: ({ system }) => ({
    params: { provider: 'oura' },
    query: `?verification_token=${derivePushKeys(system.host.deps, 'oura', 'sandbox').verificationToken}&challenge=abc`,
    status: 200,
  }),
  confirmSecretPushAddress: ({ system }) => ({
    params: { provider: 'withings', secret: derivePushKeys(system.host.deps, 'withings', 'sandbox').pathSecret },
    status: 200,
  }),
  readSandboxProvider: ({ system }) => ({
    ...consentAt(system.host.baseUrl, 'oura', 'oauth/authorize'),
    status: 200,
  }),
  writeSandboxProvider: ({ system }) => ({
    ...consentAt(system.host.baseUrl, 'oura', 'oauth/authorize'),
    raw: `decision=allow&persona=average&time_zone=UTC&account_number=${'0'.repeat(26)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 302,
  }),
  deleteAtSandboxProvider: async ({ system }) => ({
    params: { provider: 'garmin', host: 'apis.garmin.com', path: 'partner-gateway/rest/user/registration' },
    headers: { authorization: `Bearer ${await sandboxAccessToken(system.host.deps, 'garmin')}` },
    status: 204,
  }),
  openConnectPage: async ({ system }) => ({ params: { state: await makeState(system) }, status: 302 }),
  completeConnectPage: async ({ system }) => ({
    params: { provider: 'withings' },
    ...(await makeCallback(system)),
    status: 403,
  }),
  showConnectLink: async ({ system }) => ({ params: { token: await makeConnectLinkToken(system) }, status: 200 }),
  chooseOnConnectLink: async ({ system }) => ({
    params: { token: await makeConnectLinkToken(system) },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: 'connect=withings',
    status: 303,
  }),
  getConsolidation: ({ userId }) => ({ params: { id: userId }, status: 200 }),
  patchConsolidation: ({ userId }) => ({
    params: { id: userId },
    body: { metrics: { steps: { method: 'max' } } },
    status: 202,
  }),
  previewConsolidation: ({ userId }) => ({
    params: { id: userId },
    body: { metrics: { steps: { method: 'max' } } },
    status: 200,
  }),
  resetConsolidation: ({ userId }) => ({ params: { id: userId }, status: 202 }),
  getScores: ({ userId }) => ({
    params: { id: userId },
    query: '?types=sleep_score&include_factors=true',
    status: 200,
  }),
  getScoreHistory: ({ userId }) => ({
    params: { id: userId },
    query: '?start_date=2026-03-01&end_date=2026-03-14',
    status: 200,
  }),
  listDevices: ({ userId }) => ({ params: { user_id: userId }, status: 200 }),
  getDaily: ({ userId }) => ({
    params: { id: userId },
    query: '?types=steps,asleep&from_date=2026-03-01&to_date=2026-03-14',
    status: 200,
  }),
  getDailyExplanation: ({ userId }) => ({
    params: { id: userId, date: '2026-03-14', metric: 'steps' },
    status: 200,
  }),
  listSleep: ({ userId }) => ({ params: { id: userId }, query: '?limit=2', status: 200 }),
  getSleep: async ({ system, userId }) => {
    const { deps } = system.host;
    const [known] = (await sessionRows(deps.store).sleep.readDates(userId, ['2026-03-14'])).values();
    const { id: sleep_id } = known?.sessions[0] ?? sleepRow(0, '2026-03-13T22:00:00Z', 420);
    if (!known) {
      const { ordinal } = await addDevice(deps, userId, ring);
      const row = { ...sleepRow(ordinal, '2026-03-13T22:00:00Z', 420), id: sleep_id, stages: '1l1500d900_60r840' };
      await addSleep(deps, userId, '2026-03-14', row);
    }
    return { params: { id: userId, sleep_id }, status: 200 };
  },
  listWorkouts: ({ userId }) => ({ params: { id: userId }, query: '?limit=2', status: 200 }),
  getWorkout: async ({ system, userId }) => {
    const { deps } = system.host;
    const [known] = (await sessionRows(deps.store).workouts.readDates(userId, ['2026-03-14'])).values();
    const { id: workout_id } = known?.sessions[0] ?? workoutRow(0, '2026-03-14T07:00:00Z', 40);
    if (!known) {
      const { ordinal } = await addDevice(deps, userId, watch);
      const row = { ...workoutRow(ordinal, '2026-03-14T07:00:00Z', 40), id: workout_id };
      await addWorkouts(deps, userId, '2026-03-14', row);
    }
    return { params: { id: userId, workout_id }, status: 200 };
  },
  getTimeseries: ({ userId }) => ({
    params: { id: userId },
    query: '?metrics=heart_rate&start_date=2026-03-14&end_date=2026-03-14',
    status: 200,
  }),
  openSdkSession: ({ userId }) => ({
    params: { id: userId },
    headers: { 'idempotency-key': randomUUID() },
    body: installation(),
    status: 201,
  }),
  listSdkSessions: ({ userId }) => ({ params: { id: userId }, status: 200 }),
  revokeSdkSession: async ({ system, token, userId }) => ({
    params: { id: userId, session_id: (await openSession(system, token, userId)).session_id },
    status: 204,
  }),
  exchangeSdkToken: async ({ system, token, userId }) => ({
    body: { client_token: (await openSession(system, token, userId)).client_token },
    status: 200,
  }),
  refreshSdkCredentials: async ({ system, token, userId }) => ({
    body: { refresh_token: (await createCredentials(system, token, userId)).refresh_token },
    status: 200,
  }),
  revokeOwnSdkSession: async ({ system, token, userId }) => ({
    token: (await createCredentials(system, token, userId)).access_token,
    status: 204,
  }),
  uploadSdkData: async ({ system, token, userId }) => ({
    token: (await createCredentials(system, token, userId)).access_token,
    body: makeUpload({
      samples: [{ metric: 'heart_rate', start: '2026-03-14T06:58:00Z', value: 62, unit: 'bpm' }],
      daily: [{ date: '2026-03-14', metric: 'steps', value: 9412, unit: 'count' }],
    }),
    status: 202,
  }),
  inviteMember: () => ({ body: { email: newEmail(), name: 'Alex Kim', language: 'de' }, status: 201 }),
  getInvitation: async (world) => ({ params: { id: (await makeInvitation(world)).id }, status: 200 }),
  resendInvitation: async (world) => ({ params: { id: (await makeInvitation(world)).id }, status: 200 }),
  revokeInvitation: async (world) => ({ params: { id: (await makeInvitation(world)).id }, status: 204 }),
  listInvitations: () => ({ query: '?limit=2&status=pending&email_status=queued', status: 200 }),
  listMembers: () => ({ query: '?limit=2&status=active', status: 200 }),
  getMember: async (world) => ({ params: { id: await makeMember(world) }, status: 200 }),
  updateMember: async (world) => ({
    params: { id: await makeMember(world) },
    body: { status: 'archived' },
    status: 200,
  }),
  removeMember: async (world) => ({ params: { id: await makeMember(world) }, status: 204 }),
  showInvitation: async (world) => ({ params: { token: (await makeInvitation(world)).token }, status: 200 }),
  acceptInvitation: async (world) => ({ params: { token: (await makeInvitation(world)).token }, status: 200 }),
  listAudit: () => ({ query: '?limit=2&action=webhook.created', status: 200 }),
  listEvents: () => ({ query: '?limit=2&types=user.created,data.updated', status: 200 }),
  registerWebhook: () => ({ body: { url: 'https://example.com/hook', events: ['*'] }, status: 201 }),
  listWebhooks: () => ({ status: 200 }),
  getWebhook: async (world) => ({ params: { webhook_id: await makeWebhook(world) }, status: 200 }),
  updateWebhook: async (world) => ({
    params: { webhook_id: await makeWebhook(world) },
    body: { events: ['user.created', 'user.deleted'], description: 'mine' },
    status: 200,
  }),
  deleteWebhook: async (world) => ({ params: { webhook_id: await makeWebhook(world) }, status: 204 }),
  rotateWebhookSecret: async (world) => ({ params: { webhook_id: await makeWebhook(world) }, status: 200 }),
  testWebhook: async (world) => ({ params: { webhook_id: await makeWebhook(world) }, status: 200 }),
  listWebhookDeliveries: async (world) => ({
    params: { webhook_id: await makeWebhook(world) },
    query: '?limit=2',
    status: 200,
  }),
  redeliverWebhookDelivery: async (world) => ({ params: await makeDelivery(world), status: 202 }),
  recoverWebhook: async (world) => ({
    params: { webhook_id: await makeWebhook(world) },
    body: { since: '2026-03-14T00:00:00Z' },
    status: 202,
  }),
  getIndex: () => ({ status: 200 }),
  getOpenApi: () => ({ status: 200 }),
  getForm1OpenApi: () => ({ status: 200 }),
  getConsoleOpenApi: () => ({ status: 200 }),
  getDocs: () => ({ status: 200 }),
  getForm1Docs: () => ({ status: 200 }),
  getGroupDocs: () => ({ params: { group: 'users' }, status: 200 }),
  getForm1GroupDocs: () => ({ params: { group: 'users' }, status: 200 }),
  getSearchIndex: () => ({ status: 200 }),
  getForm1SearchIndex: () => ({ status: 200 }),
  getProvidersDocs: () => ({ status: 200 }),
  getProviderDocs: () => ({ params: { provider: 'oura' }, status: 200 }),
  getWebhookDocs: () => ({ status: 200 }),
  getScoresDocs: () => ({ status: 200 }),
  getErrorsDocs: () => ({ status: 200 }),
  getErasureDocs: () => ({ status: 200 }),
  getSecurityDocs: () => ({ status: 200 }),
  getDataProtectionDocs: () => ({ status: 200 }),
  getQuickstartDocs: () => ({ status: 200 }),
  getChangelogDocs: () => ({ status: 200 }),
  getDemo: () => ({ status: 200 }),
  getHealth: () => ({ status: 200 }),
  getConsole: () => ({ status: 200 }),
  getConsolePage: () => ({ params: { page: 'people' }, status: 200 }),
  getConsoleAsset: async ({ system }) => {
    const { text } = await system.call('GET', '/console');
    return { params: { file: /\/console\/assets\/([^"]+\.js)/.exec(text)?.[1] ?? '' }, status: 200 };
  },
};

/** Uses the sandbox, where every provider can be connected. */
async function makeState(system: System): Promise<string> {
  const { sandbox_key: token } = await system.account();
  const path = `/v1/users/${await system.user(token)}/devices`;
  const { body } = await system.call('POST', path, { token, body: { provider: 'withings' } });
  return lastSegment(body.auth_url);
}

/** Returns a callback for the browser that opened the link. */
async function makeCallback(system: System): Promise<{ query: string; headers: Record<string, string> }> {
  const { searchParams } = new URL(
    redirectLocation(await openPage(system, `${system.host.baseUrl}/connect/${await makeState(system)}`)),
  );
  return { query: `?error=access_denied&state=${searchParams.get('state')}`, headers: cookieJarOf(system).headers() };
}

async function makeConnectLinkToken(system: System): Promise<string> {
  const { sandbox_key: token } = await system.account();
  return lastSegment((await makeConnectLink(system, token, await system.user(token))).url);
}

async function makeConnectLink(system: System, token: string, userId: string): Promise<{ id: string; url: string }> {
  return (await system.call('POST', `/v1/users/${userId}/connect-links`, { token, body: {} })).body;
}

const lastSegment = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

async function makeDevice(system: System, token: string, userId: string): Promise<string> {
  const phone = await openPhone(system, token, userId);
  await phone.upload({
    time_zone: 'UTC',
    device: { name: 'Watch', model: 'Watch7,1', type: 'wrist' },
    daily: [{ date: '2026-01-01', metric: 'steps', value: 1, unit: 'count' }],
  });
  const { body } = await system.call('GET', `/v1/users/${userId}/devices`, { token });
  return body.data[0].id;
}

/** A ring with a connection, as it is after consent. No provider answers for it. */
async function makeConnection({ host: { deps } }: System, userId: string): Promise<string> {
  const { id: device } = await addDevice(deps, userId, ring);
  const row = connectionRow({ user: userId, device });
  await deps.store.table.write({ kind: 'put', item: { ...keys.connection(userId, device), ...row } });
  return device;
}

const makeInvitation = async ({ system, token }: World): Promise<InvitationWithToken> =>
  createInvitation(system.host.deps, await findAccount(system, token));

const makeMember = async ({ system, token }: World): Promise<string> =>
  (await createMember(system.host.deps, await findAccount(system, token))).member;

/** Returns the account that the key belongs to. */
async function findAccount({ host: { deps } }: System, token: string): Promise<string> {
  return (await admitApiKey(deps, apiKeyHash(deps, token))).caller.account;
}

/** Reuses the existing endpoint or creates one, because an environment allows only a few. */
async function makeWebhook({ system, token }: World): Promise<string> {
  const { body } = await system.call('GET', '/v1/webhooks', { token });
  const known = body.data.find(
    ({ status, url }: { status: string; url: string }) => status === 'active' && url === unreachableUrl,
  );
  if (known) return known.id;
  const webhook = { url: unreachableUrl, events: ['user.created'] };
  return (await system.call('POST', '/v1/webhooks', { token, body: webhook })).body.data.id;
}
const unreachableUrl = 'http://127.0.0.1:9/';

async function makeDelivery(world: World): Promise<{ webhook_id: string; delivery_id: string }> {
  const webhook_id = await makeWebhook(world);
  const path = `/v1/webhooks/${webhook_id}/deliveries`;
  const [known] = (await world.system.call('GET', path, { token: world.token })).body.data;
  if (known) return { webhook_id, delivery_id: known.id };
  await world.system.user(world.token);
  await world.system.host.drain();
  const { body } = await world.system.call('GET', path, { token: world.token });
  return { webhook_id, delivery_id: body.data[0].id };
}

export const pathOf = (template: string, params: Record<string, string> = {}): string =>
  template.replaceAll(/\{(\w+)\+?\}/g, (_match, name: string) => params[name] ?? `missing-${name}`);

/**
 * A push for an account that is not connected, signed as the built-in simulated provider signs it.
 */
function signedPush(system: System): Pick<Sample, 'raw' | 'headers'> {
  const { deps } = system.host;
  const note = { event_type: 'update', data_type: 'sleep', object_id: 'a', user_id: 'nobody' };
  const { headers, body } = signPush(sandboxCredentials(deps, 'oura').clientSecret, note, deps.clock.now());
  return { raw: Buffer.from(body).toString(), headers: { ...headers } };
}
