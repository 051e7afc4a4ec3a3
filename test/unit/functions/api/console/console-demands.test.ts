// What the console's own routes demand of a colleague and of the page that calls them. The lists are
// written out a second time, so that a change of a rule has to be made on purpose.
import { beforeEach, describe, expect, test } from 'vitest';
import { consoleSettingsApi } from '../../../../../functions/api/console-settings/app.ts';
import { consoleContract } from '../../../../../functions/api/reference/contract.ts';
import { signInApi } from '../../../../../functions/api/sign-in/app.ts';
import { listAudit } from '../../../../../shared/audit/list-audit.ts';
import { listColleagues } from '../../../../../shared/console/colleagues.ts';
import type { Api } from '../../../../../shared/http/api.ts';
import { type ConsoleWorld, consoleOrigin, openConsoleWorld } from '../../../../harness/console-world.ts';
import { requestInProcess } from '../../../../harness/in-process-request.ts';
import { createAuthenticator } from '../../../../harness/software-authenticator.ts';

const declaredActs = {
  requestSignInLink: false,
  describeSignInLink: false,
  signInWithLink: 'session.created',
  signOut: 'session.ended',
  revokeSession: 'session.revoked',
  getPasskeySignInOptions: false,
  signInWithPasskey: 'session.created',
  getPasskeyOptions: false,
  registerPasskey: 'passkey.created',
  removePasskey: 'passkey.removed',
  inviteColleague: 'colleague.invited',
  updateColleague: 'colleague.updated',
  removeColleague: 'colleague.removed',
  resetColleagueAccess: 'colleague.access_reset',
  replaceKey: 'key.replaced',
  revokeKey: 'key.revoked',
};

test('every route of the console that changes something is the act that it is', () => {
  const changing = consoleContract.filter(({ route }) => route.method !== 'get');
  expect(Object.fromEntries(changing.map(({ route, audits }) => [route.operationId, audits]))).toEqual(declaredActs);
});

let world: ConsoleWorld;
let headers: Record<string, string>;
let signInRoutes: Api;
let settingsRoutes: Api;

beforeEach(async () => {
  world = await openConsoleWorld();
  const { token } = await world.signIn(await world.add('owner'));
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

const countEntries = async (): Promise<number> => {
  const trail = { kind: 'api_key', account: world.account, env: 'live', form: 2 } as const;
  return (await listAudit(world.deps, trail, { limit: 100 })).entries.length;
};

describe('ten minutes after signing in', () => {
  beforeEach(() => world.clock.advance(600_000));

  test('nobody registers a passkey or changes colleagues and keys, and nothing is recorded', async () => {
    const before = await countEntries();
    for (const [api, method, path, body] of [
      [signInRoutes, 'POST', '/passkeys/options', undefined],
      [signInRoutes, 'POST', '/passkeys', {}],
      [settingsRoutes, 'POST', '/colleagues', { email: 'alex@example.com', role: 'owner' }],
      [settingsRoutes, 'DELETE', '/keys/live', undefined],
    ] as const) {
      const response = await send(api, method, path, body);
      expect([path, response.status, response.body.error]).toEqual([path, 403, 'recent_sign_in_required']);
    }
    expect(await countEntries()).toBe(before);
    expect(await listColleagues(world.deps, world)).toHaveLength(1);
  });

  test('everyone still ends sessions and removes passkeys, which takes access away', async () => {
    const { session } = await world.signIn(await world.add('support'));
    expect((await send(signInRoutes, 'DELETE', `/sessions/${session.id}`)).status).toBe(204);
    expect((await send(signInRoutes, 'DELETE', '/passkeys/none')).status).toBe(404);
  });
});

test('a flood of guesses at a link is limited by address, before anything is read', async () => {
  world.clock.freeze();
  const statuses: number[] = [];
  for (let count = 0; count < 502; count++)
    statuses.push((await send(signInRoutes, 'POST', '/sign-in/links/description', { secret: 'x' })).status);
  expect([statuses.slice(0, 500), statuses.slice(500)]).toEqual([Array(500).fill(401), [429, 429]]);
});

test.each([
  ['/sign-in/links', { email: 'alex@example.com' }],
  ['/sign-in/links/description', { secret: 'x' }],
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
