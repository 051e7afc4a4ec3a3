// What the console's own routes demand of a colleague, and what they leave in the audit trail. The
// lists are written out a second time, so that a change of a rule has to be made on purpose.
import { beforeEach, describe, expect, test } from 'vitest';
import { consoleSettingsApi } from '../../../../../functions/api/console-settings/app.ts';
import { consoleContract, contract } from '../../../../../functions/api/reference/contract.ts';
import { signInApi } from '../../../../../functions/api/sign-in/app.ts';
import { listAudit } from '../../../../../shared/audit/list-audit.ts';
import { listColleagues } from '../../../../../shared/console/colleagues.ts';
import type { Api } from '../../../../../shared/http/api.ts';
import { type ConsoleWorld, consoleOrigin, openConsoleWorld } from '../../../../harness/console-world.ts';
import { requestInProcess } from '../../../../harness/in-process-request.ts';
import { createAuthenticator } from '../../../../harness/software-authenticator.ts';

const declaredActs = {
  requestSignInLink: false,
  signInWithLink: 'session.created',
  signOut: 'session.ended',
  endSession: 'session.revoked',
  getPasskeySignInOptions: false,
  signInWithPasskey: 'session.created',
  getPasskeyOptions: false,
  registerPasskey: 'passkey.created',
  removePasskey: 'passkey.removed',
  inviteColleague: 'colleague.invited',
  updateColleague: 'colleague.updated',
  removeColleague: 'colleague.removed',
  createColleagueLink: 'colleague.link_created',
  replaceKey: 'key.replaced',
  revokeKey: 'key.revoked',
};

test('every route of the console that changes something is the act that it is', () => {
  const changing = consoleContract.filter(({ route }) => route.method !== 'get');
  expect(Object.fromEntries(changing.map(({ route, audits }) => [route.operationId, audits]))).toEqual(declaredActs);
});

test('keys, colleagues, passkeys and erasing users take a recent sign-in', () => {
  const demanding = [...contract, ...consoleContract].filter(({ needsRecentSignIn }) => needsRecentSignIn);
  expect([...new Set(demanding.map(({ route }) => route.operationId))].sort()).toEqual([
    'createColleagueLink',
    'deleteUser',
    'getPasskeyOptions',
    'inviteColleague',
    'registerPasskey',
    'removeColleague',
    'replaceKey',
    'revokeKey',
    'updateColleague',
  ]);
});

let world: ConsoleWorld;
let headers: Record<string, string>;
let signInRoutes: Api;
let settingsRoutes: Api;
let owner: { id: string; sessionId: string };

beforeEach(async () => {
  world = await openConsoleWorld();
  const colleague = await world.add('owner');
  const { token, session } = await world.signIn(colleague);
  owner = { id: colleague.id, sessionId: session.id };
  headers = {
    cookie: `__Host-daybook=${token}`,
    'daybook-environment': 'sandbox',
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  };
  signInRoutes = signInApi(world.deps);
  settingsRoutes = consoleSettingsApi(world.deps);
});

async function send(api: Api, method: string, path: string, body?: object) {
  const response = await requestInProcess(api, `/console/api${path}`, {
    method,
    headers,
    origin: consoleOrigin,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function registerPasskey() {
  const { body: options } = await send(signInRoutes, 'POST', '/passkeys/options');
  const credential = createAuthenticator().create(options.challenge, { origin: consoleOrigin });
  return (await send(signInRoutes, 'POST', '/passkeys', { name: null, credential })).body;
}

/** The latest entry, which is about the account and not about the environment of the request. */
async function readEntry() {
  const trail = { kind: 'api_key', account: world.account, env: 'live', form: 2 } as const;
  const [entry] = (await listAudit(world.deps, trail, { limit: 1 })).entries;
  const { actor, action, environment, resource_ids, outcome, code } = entry ?? {};
  expect([actor?.id, environment]).toEqual([owner.id, null]);
  return { action, resource_ids, outcome, code };
}
const done = (action: string, ...resource_ids: string[]) => ({ action, resource_ids, outcome: 'done', code: null });

describe('the trail names', () => {
  test('whom someone invited, changed, let back in and removed', async () => {
    const { body } = await send(settingsRoutes, 'POST', '/colleagues', { email: 'alex@example.com', role: 'support' });
    const { id } = body.colleague;
    expect(await readEntry()).toEqual(done('colleague.invited', id));
    await send(settingsRoutes, 'PATCH', `/colleagues/${id}`, { role: 'developer' });
    expect(await readEntry()).toEqual(done('colleague.updated', id));
    await send(settingsRoutes, 'POST', `/colleagues/${id}/link`);
    expect(await readEntry()).toEqual(done('colleague.link_created', id));
    await send(settingsRoutes, 'DELETE', `/colleagues/${id}`);
    expect(await readEntry()).toEqual(done('colleague.removed', id));
  });

  test('what was refused, and why', async () => {
    await send(settingsRoutes, 'DELETE', `/colleagues/${owner.id}`);
    expect(await readEntry()).toEqual({
      ...done('colleague.removed', owner.id),
      outcome: 'failed',
      code: 'last_owner',
    });
  });

  test('which key was created and which were revoked', async () => {
    const listIds = async () => {
      const { body } = await send(settingsRoutes, 'GET', '/keys');
      const keys: { id: string; environment: string; status: string }[] = body.data;
      return keys.filter((key) => key.environment === 'live' && key.status !== 'revoked').map(({ id }) => id);
    };
    const [first = ''] = await listIds();
    const { body } = await send(settingsRoutes, 'POST', '/keys', { environment: 'live', overlap_hours: 1 });
    expect(await readEntry()).toEqual(done('key.replaced', body.id));
    expect(await listIds()).toEqual([body.id, first]);
    await send(settingsRoutes, 'DELETE', '/keys/live');
    expect(await readEntry()).toEqual(done('key.revoked', body.id, first));
    await send(settingsRoutes, 'DELETE', '/keys/live');
    expect(await readEntry()).toEqual(done('key.revoked'));
  });

  test('which passkey was registered and removed, and which session ended', async () => {
    const { id } = await registerPasskey();
    expect(await readEntry()).toEqual(done('passkey.created', id));
    await send(signInRoutes, 'DELETE', `/passkeys/${id}`);
    expect(await readEntry()).toEqual(done('passkey.removed', id));
    const { session } = await world.signIn(await world.add('support'));
    await send(signInRoutes, 'DELETE', `/sessions/${session.id}`);
    expect(await readEntry()).toEqual(done('session.revoked', session.id));
    expect((await send(signInRoutes, 'DELETE', '/session')).status).toBe(204);
    expect(await readEntry()).toEqual(done('session.ended', owner.sessionId));
  });
});

describe('ten minutes after signing in', () => {
  beforeEach(() => world.clock.advance(600_000));

  test('nobody registers a passkey or changes colleagues and keys, and nothing is recorded', async () => {
    const before = await readEntry();
    for (const [api, method, path, body] of [
      [signInRoutes, 'POST', '/passkeys/options', undefined],
      [signInRoutes, 'POST', '/passkeys', {}],
      [settingsRoutes, 'POST', '/colleagues', { email: 'alex@example.com', role: 'owner' }],
      [settingsRoutes, 'DELETE', '/keys/live', undefined],
    ] as const) {
      const response = await send(api, method, path, body);
      expect([path, response.status, response.body.error]).toEqual([path, 403, 'recent_sign_in_required']);
    }
    expect(await readEntry()).toEqual(before);
    expect(await listColleagues(world.deps, world)).toHaveLength(1);
  });

  test('everyone still ends sessions and removes passkeys, which takes access away', async () => {
    const { session } = await world.signIn(await world.add('support'));
    expect((await send(signInRoutes, 'DELETE', `/sessions/${session.id}`)).status).toBe(204);
    expect((await send(signInRoutes, 'DELETE', '/passkeys/none')).status).toBe(404);
  });
});

test.each([
  ['/sign-in/links', { email: 'alex@example.com' }],
  ['/sign-in/sessions', { secret: 'x' }],
  ['/sign-in/passkeys/options', undefined],
  ['/sign-in/passkeys', createAuthenticator().get('x', { origin: consoleOrigin })],
])('%s does nothing for a page of another origin', async (path, body) => {
  const rows = world.table.rows().length;
  for (const foreign of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
    headers = { 'content-type': 'application/json', ...foreign };
    const response = await send(signInRoutes, 'POST', path, body);
    expect([response.status, response.body.error]).toEqual([401, 'unauthorized']);
  }
  expect([world.table.rows().length, world.sentTo('mail')]).toEqual([rows, []]);
});
