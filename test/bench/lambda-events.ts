// The events that AWS sends to a function, limited to the fields that the functions read.

import { buildSessionCookie } from '../../functions/api/callers/session-cookie.ts';
import { getConfiguredProvider } from '../../shared/connections/client/configured-provider.ts';
import { pushPath } from '../../shared/connections/client/push-keys.ts';
import { createConnectClient } from '../../shared/connections/client/user-client.ts';
import { computeChallenge } from '../../shared/connections/connect/connect-state.ts';
import { createColleague } from '../../shared/console/colleagues.ts';
import { issueSignInLink, signInWithLink } from '../../shared/console/sign-in-link.ts';
import { getGrantAdapter } from '../../shared/providers/adapters.ts';
import { toSandboxAccount } from '../../shared/sandbox/provider-server/account.ts';
import { openBuiltInProvider } from '../../shared/sandbox/provider-server/open-built-in-provider.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { asBrowser, readSetCookie } from '../harness/console-session.ts';
import { createInvitation } from '../harness/team-members.ts';
import type { BuiltFunctions, FunctionName } from './built-functions.ts';

interface Request {
  method?: 'GET' | 'POST';
  token?: string;
  query?: string;
  body?: object;
  headers?: Record<string, string>;
}

export const httpRequest = (
  path: string,
  { method = 'GET', token, query = '', body, headers = {} }: Request = {},
): object => ({
  version: '2.0',
  rawPath: path,
  rawQueryString: query,
  headers: {
    host: 'localhost',
    'accept-encoding': 'gzip, br',
    ...headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  },
  requestContext: { requestId: 'bench', domainName: 'localhost', http: { method, path, sourceIp: '192.0.2.1' } },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  isBase64Encoded: false,
});

const queueEvent = (job: object): object => ({ Records: [{ messageId: 'bench', body: JSON.stringify(job) }] });

export interface SandboxFixture {
  key: string;
  userId: string;
  accountId: string;
  /** The path of a connect link of the user. */
  connectLink: string;
  /** The path of an invitation's page. */
  joinLink: string;
  /** The address that the sandbox's Garmin pushes to. */
  pushAddress: string;
  /** The access token of an account with the sandbox's Oura. */
  providerToken: string;
  /** The headers of a browser in which an owner is signed in to the console. */
  signedIn: Record<string, string>;
}

/** Creates a sandbox user with data, and the values that its events refer to. */
export async function createSandboxFixture(built: BuiltFunctions): Promise<SandboxFixture> {
  const { account_id: accountId, sandbox_key: key } = await built.account();
  const { body: user } = await built.call('POST', '/v1/users', { token: key, body: { timezone: 'Europe/London' } });
  await built.host.drain();
  const path = `/v1/users/${user.id}/connect-links`;
  const { body: link } = await built.call('POST', path, { token: key, body: {} });
  const { deps } = built.host;
  return {
    accountId,
    key,
    userId: user.id,
    connectLink: new URL(link.url).pathname,
    joinLink: `/join/${(await createInvitation(deps, accountId, {}, 'sandbox')).token}`,
    pushAddress: pushPath(deps, 'garmin', 'sandbox'),
    providerToken: await createProviderToken(
      deps,
      toSandboxAccount({ userId: user.id, persona: 'average', timezone: 'UTC' }),
    ),
    signedIn: await signInOwner(deps, accountId, built.host.baseUrl),
  };
}

async function signInOwner(deps: Deps, accountId: string, origin: string): Promise<Record<string, string>> {
  const owner = await createColleague(deps, accountId, { email: 'owner@example.com', role: 'owner' });
  const { url } = await issueSignInLink(deps, owner, origin);
  const { token } = await signInWithLink(deps, new URL(url).hash.slice(1), {
    previousHash: undefined,
    request: undefined,
  });
  return asBrowser(readSetCookie(new Headers({ 'set-cookie': buildSessionCookie(token, origin) })));
}

async function createProviderToken(deps: Deps, account: string): Promise<string> {
  const oura = await getConfiguredProvider(deps, 'oura', 'sandbox');
  if (!oura) throw new Error('the sandbox has no Oura');
  const exchange = {
    credentials: oura.credentials,
    redirectUri: 'https://localhost/connect/callback/oura',
    code: (await openBuiltInProvider(deps)).issueCode('oura', account, computeChallenge('')),
    ...{ verifier: '', externalId: '', query: {}, nowMs: deps.clock.now() },
  };
  const client = createConnectClient(deps, oura, { device: '', startedMs: exchange.nowMs });
  return (await client.withoutToken(getGrantAdapter('oura').exchange(exchange))).accessToken;
}

const missingIds = {
  user: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7',
  device: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2',
  event: 'evt_01k9p3w8x9z1b3d5f7h9k1n3q5',
  webhook: 'whk_01k9p3w0b1c3e5g7j9m1p3r5t7',
  delivery: 'dlv_01k9p3w0b1c3e5g7j9m1p3r5t7',
  invitation: 'inv_01k9p3wm1n3q5s7v9x1z3b5d7f',
} as const;

/**
 * The first event of each function in the bench: a typical request, or a message that changes
 * nothing however often it is delivered.
 */
export function firstEvents({
  key: token,
  userId: user_id,
  accountId: account,
  connectLink,
  joinLink,
  pushAddress,
  providerToken,
  signedIn,
}: SandboxFixture): Record<FunctionName, object> {
  const read = (path: string) => httpRequest(path, { token });
  return {
    catalogs: read('/v1/metrics'),
    users: read(`/v1/users/${user_id}`),
    tokens: httpRequest('/v1/auth/user-token', { method: 'POST', token, body: { user_id } }),
    devices: read(`/v1/users/${user_id}/devices`),
    connect: httpRequest(connectLink),
    sdk: read(`/v1/users/${user_id}/sdk-sessions`),
    'console-settings': httpRequest('/console/api/keys', { headers: signedIn }),
    'console-state': httpRequest('/console/api/overview', { headers: signedIn }),
    'sign-in': httpRequest('/console/api/me', { headers: signedIn }),
    data: read(`/v1/users/${user_id}/daily`),
    explanations: read(`/v1/users/${user_id}/daily/2026-03-10/steps/explanation`),
    events: read('/v1/events'),
    audit: read('/v1/audit'),
    scores: read(`/v1/users/${user_id}/scores`),
    team: read('/v1/team/roster'),
    join: httpRequest(joinLink),
    webhooks: read('/v1/webhooks'),
    reference: httpRequest('/openapi.json'),
    guides: httpRequest('/docs/webhooks'),
    console: httpRequest('/console'),
    push: httpRequest(pushAddress, {
      method: 'POST',
      headers: { 'garmin-client-id': 'sandbox-garmin' },
      body: { dailies: [{ userId: 'nobody', summaryId: 'x', calendarDate: '2026-03-10', steps: 1 }] },
    }),
    'sandbox-provider': httpRequest('/sandbox/oura/api.ouraring.com/v2/usercollection/personal_info', {
      token: providerToken,
    }),
    consolidation: read(`/v1/users/${user_id}/consolidation`),
    'write-user': queueEvent({ user_id }),
    relay: {
      Records: [
        {
          eventName: 'INSERT',
          dynamodb: {
            SequenceNumber: '1',
            NewImage: { pk: { S: `V#${missingIds.event}` }, sk: { S: 'OUT' }, feed: { S: `${account}#sandbox` } },
          },
        },
      ],
    },
    feed: queueEvent({ account_id: account, env: 'sandbox', rows: [{ pk: `V#${missingIds.event}`, sk: 'OUT' }] }),
    deliver: queueEvent({ webhook_id: missingIds.webhook, delivery_id: missingIds.delivery }),
    'send-invitations': queueEvent({ account_id: account, env: 'sandbox', invitation_id: missingIds.invitation }),
    'seed-sandbox': queueEvent({ user_id }),
    'feed-sandbox': {},
    sync: queueEvent({ user_id, device_id: missingIds.device }),
    poll: {},
    sweep: {},
  };
}
