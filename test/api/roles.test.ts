// What each role may call: every endpoint of the contract, tried with a session of every role.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKey } from '../../functions/api/callers/api-key.ts';
import { colleague } from '../../functions/api/callers/colleague.ts';
import { consoleContract, contract } from '../../functions/api/reference/contract.ts';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { utcDay } from '../../shared/platform/time/local-day.ts';
import type { ColleagueRole } from '../../shared/system/caller.ts';
import { type SignedIn, signIn } from '../harness/console-session.ts';
import { openPhone } from '../harness/phone.ts';
import { type Receiver, respond, startReceiver } from '../harness/receiver.ts';
import { makeUpload } from '../harness/sdk.ts';
import { sharedSystem, timeTravelSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { listedOperations, rightOf } from './role-rights.ts';
import { pathOf, type Sample, samples } from './samples.ts';

const roles: readonly ColleagueRole[] = ['owner', 'developer', 'support'];
const forKeys = contract.filter(({ callers }) => callers.includes(apiKey));
const forSessions = [...contract, ...consoleContract].filter(({ callers }) =>
  callers.some(({ name }) => name === colleague.name),
);
const toTitled = (endpoint: Endpoint) =>
  [`${endpoint.route.method.toUpperCase()} ${endpoint.route.path}`, endpoint] as const;
const isAllowed = (role: ColleagueRole, { route }: Endpoint): boolean => rightOf(role, route.operationId) !== 'no';

let system: System;
let account: NewAccount;
let form1Account: NewAccount;
let userId: string;
let sessions: Record<ColleagueRole, SignedIn>;
let form1Sessions: Record<ColleagueRole, SignedIn>;

const signInAs = async (at: System, account: NewAccount): Promise<Record<ColleagueRole, SignedIn>> => ({
  owner: await signIn(at, account, 'owner'),
  developer: await signIn(at, account, 'developer'),
  support: await signIn(at, account, 'support'),
});

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  form1Account = await system.account({ form: 1 });
  userId = await system.user(account.live_key);
  sessions = await signInAs(system, account);
  form1Sessions = await signInAs(system, form1Account);
});
beforeEach(() => system.clock.advance(500));

function send({ route }: Endpoint, sample: Sample, { headers }: SignedIn) {
  const path = pathOf(route.path, sample.params) + (sample.query ?? '');
  return system.call(route.method.toUpperCase(), path, {
    ...(sample.body === undefined ? {} : { body: sample.body }),
    ...(sample.raw === undefined ? {} : { raw: sample.raw }),
    headers: { ...sample.headers, ...headers },
  });
}

test('the table of rights lists every route that takes a session, and nothing else', () => {
  expect([...listedOperations].sort()).toEqual(forSessions.map(({ route }) => route.operationId).sort());
});

/** Nothing that the path names exists, so that an accepted request changes nothing. */
const sendAboutNothing = ({ call }: System, { route }: Endpoint, { headers }: Pick<SignedIn, 'headers'>) =>
  call(route.method.toUpperCase(), route.path.replaceAll(/\{\w+\}/g, 'nothing'), {
    headers,
    ...(route.request?.body ? { body: {} } : {}),
  });

test('every route that takes an API key takes a session, and no other route does', () => {
  const takesSession = contract.filter(({ callers }) => callers.some(({ name }) => name === colleague.name));
  expect(takesSession).toEqual(forKeys);
  expect(forKeys.length).toBeGreaterThan(40);
});

test('the customers’ documents do not mention sessions, and the console’s document does', async () => {
  for (const name of ['openapi.json', 'openapi.form1.json']) {
    const { body: document, text } = await system.call('GET', `/${name}`);
    expect(Object.keys(document.components.securitySchemes).sort()).toEqual(['api_key', 'sdk_session', 'user_token']);
    expect(text).not.toMatch(/"colleague":\[\]|\/console\/api/);
  }
  const { body } = await system.call('GET', '/openapi.console.json');
  expect(Object.keys(body.components.securitySchemes)).toEqual(['colleague']);
  expect(Object.keys(body.paths).every((path) => path.startsWith('/console/api/'))).toBe(true);
  const operations = Object.values<object>(body.paths).flatMap((item) => Object.values(item));
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    consoleContract.map(({ route }) => route.operationId).sort(),
  );
});

describe.each(roles)('the role %s', (role) => {
  test.each(forKeys.map(toTitled))('may call %s as the table says', async (_name, endpoint) => {
    const create = samples[endpoint.route.operationId];
    const sample = (await create?.({ system, token: account.live_key, userId })) ?? { status: 0 };
    const { status, body } = await send(endpoint, sample, sessions[role]);
    const onForm1 = await send(endpoint, sample, form1Sessions[role]);
    if (isAllowed(role, endpoint)) {
      expect(status).toBe(sample.status);
      expect([401, 403]).not.toContain(onForm1.status);
      return;
    }
    expect([status, body.error]).toEqual([403, 'insufficient_scope']);
    expect(body.message).toContain(`The role ${role} `);
    expect([onForm1.status, onForm1.body.error]).toEqual([403, 'insufficient_scope']);
  });

  test.each(consoleContract.filter(({ callers }) => callers.length > 0).map(toTitled))(
    'is refused at %s exactly where it must be',
    async (_name, endpoint) => {
      if (endpoint.route.operationId === 'signOut') return;
      const { status, body } = await sendAboutNothing(system, endpoint, sessions[role]);
      const isRefused = status === 403 && body.error === 'insufficient_scope';
      expect(isRefused).toBe(!isAllowed(role, endpoint));
    },
  );
});

describe('support', () => {
  const profile = { date_of_birth: '1957-11-23', height_cm: 187.65, weight_kg: 93.21 };
  const answer = 'a secret of the receiver';
  const urlSecret = 'a-secret-in-the-url';
  const marks = [
    ...Object.values(profile).map(String),
    '54321',
    answer,
    urlSecret,
    'sk_live_',
    'whsec_',
    'eyJhbGciOi',
    'sdk_at_',
  ];
  let receiver: Receiver;

  test.each([1, 2] as const)(
    'never sees a profile, a health value, a token or a receiver’s answer, in an account on Form %i',
    async (form) => {
      receiver = await startReceiver();
      receiver.respondWith(respond(500, {}, answer));
      try {
        const own = form === 1 ? form1Account : account;
        const token = own.live_key;
        const user = await system.user(
          token,
          form === 1 ? { reference_id: `mark-${form}`, profile } : { external_ref: `mark-${form}`, profile },
        );
        const hook = await system.call('POST', '/v1/webhooks', {
          headers: (form === 1 ? form1Sessions : sessions).owner.headers,
          body: { url: `${receiver.url}?token=${urlSecret}`, events: ['data.updated'] },
        });
        const phone = await openPhone(system, token, user);
        await phone.upload(
          makeUpload({
            daily: [{ date: utcDay(system.clock.now()), metric: 'steps', value: 54_321, unit: 'count' }],
          }),
        );
        await system.settle();
        const ids: Record<string, string> = { id: user, user_id: user, webhook_id: hook.body.data.id };
        const seen = { owner: '', support: '' };
        for (const endpoint of forKeys.filter(({ route }) => route.method === 'get'))
          for (const role of ['owner', 'support'] as const) {
            const path = endpoint.route.path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? 'none');
            const { text } = await system.call('GET', path, {
              headers: (form === 1 ? form1Sessions : sessions)[role].headers,
            });
            seen[role] += `${path}\n${text}\n`;
            system.clock.advance(100);
          }
        for (const mark of marks.slice(0, 6)) expect(seen.owner).toContain(mark);
        for (const mark of marks) expect(seen.support).not.toContain(mark);
        expect(seen.support).toContain(user);
      } finally {
        await receiver.close();
      }
    },
  );
});

describe('ten minutes after signing in', () => {
  let later: System;
  let stale: Record<ColleagueRole, SignedIn>;
  let key: string;

  beforeAll(async () => {
    later = await timeTravelSystem();
    const own = await later.account();
    key = own.live_key;
    stale = await signInAs(later, own);
    later.clock.advance(600_000);
  });
  beforeEach(() => later.clock.advance(500));

  describe.each(roles)('the role %s', (role) => {
    test.each(forSessions.map(toTitled))('may call %s as the table says', async (_name, endpoint) => {
      const right = rightOf(role, endpoint.route.operationId);
      if (endpoint.route.operationId === 'signOut') return expect(right).toBe('yes');
      const { status, body } = await sendAboutNothing(later, endpoint, stale[role]);
      if (right === 'yes') expect([401, 403]).not.toContain(status);
      else
        expect([status, body.error]).toEqual([403, right === 'no' ? 'insufficient_scope' : 'recent_sign_in_required']);
    });
  });

  test('an API key needs no sign-in for anything', async () => {
    for (const endpoint of forKeys) {
      const { body } = await sendAboutNothing(later, endpoint, { headers: { authorization: `Bearer ${key}` } });
      expect([endpoint.route.operationId, body?.error]).not.toContain('recent_sign_in_required');
    }
  });

  test('nothing is erased until the colleague signs in again', async () => {
    const own = await later.account();
    const { headers } = await signIn(later, own, 'developer');
    const [first, second] = [await later.user(own.live_key), await later.user(own.live_key)];
    expect((await later.call('DELETE', `/v1/users/${first}`, { headers })).status).toBe(202);
    later.clock.advance(600_000);
    const refused = await later.call('DELETE', `/v1/users/${second}`, { headers });
    expect([refused.status, refused.body.error]).toEqual([403, 'recent_sign_in_required']);
    expect((await later.call('GET', `/v1/users/${second}`, { headers })).status).toBe(200);
    const again = await signIn(later, own, 'developer');
    expect((await later.call('DELETE', `/v1/users/${second}`, again)).status).toBe(202);
  });
});
