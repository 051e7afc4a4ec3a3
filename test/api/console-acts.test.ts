// Every act that only the console offers: what it leaves in the audit trail, and which acts need a
// recent sign-in.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { colleague as colleagueKind } from '../../functions/api/callers/colleague.ts';
import { consoleContract, contract } from '../../functions/api/reference/contract.ts';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { AuditEntry } from '../../shared/audit/audit-entry.ts';
import type { Environment } from '../../shared/system/caller.ts';
import { addColleague, type SignedIn, signIn } from '../harness/console-session.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { sharedSystem, timeTravelSystem } from '../harness/shared-system.ts';
import { createAuthenticator } from '../harness/software-authenticator.ts';
import type { System } from '../harness/system.ts';
import { listedOperations, rightOf } from './role-rights.ts';
import { pathOf, samples } from './samples.ts';

let system: System;
let account: NewAccount;
let owner: SignedIn;
beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
});
beforeEach(async () => {
  system.clock.advance(1_000);
  owner = await signIn(system, account);
});

interface ActSample {
  params?: Record<string, string>;
  body?: object;
  status: number;
  /** The ids that the entry must have. */
  findIds: (response: ApiResponse) => (string | undefined)[] | Promise<(string | undefined)[]>;
  environment?: Environment;
}

const readSessionId = async ({ headers }: SignedIn): Promise<string> =>
  (await system.call('GET', '/console/api/me', { headers })).body.session.id;

const readKeyIds = async (environment: Environment): Promise<string[]> => {
  const { body } = await system.call('GET', '/console/api/keys', { headers: owner.headers });
  return body.data
    .filter(
      (key: { environment: string; status: string }) => key.environment === environment && key.status !== 'revoked',
    )
    .map(({ id }: { id: string }) => id);
};

async function createCredential(): Promise<object> {
  const { body } = await system.call('POST', '/console/api/passkeys/options', { headers: owner.headers });
  return createAuthenticator().create(body.challenge, { origin: system.host.baseUrl });
}

const actSamples: Record<string, () => Promise<ActSample>> = {
  inviteColleague: async () => ({
    body: { email: `new-${Date.now()}@example.com`, role: 'support' },
    status: 201,
    findIds: ({ body }) => [body.colleague.id],
  }),
  updateColleague: async () => {
    const { id } = await addColleague(system, account, 'support');
    return { params: { id }, body: { name: 'Alex' }, status: 200, findIds: () => [id] };
  },
  removeColleague: async () => {
    const { id } = await addColleague(system, account, 'support');
    return { params: { id }, status: 204, findIds: () => [id] };
  },
  resetColleagueAccess: async () => {
    const { id } = await addColleague(system, account, 'support');
    return { params: { id }, status: 201, findIds: () => [id] };
  },
  replaceKey: async () => ({
    body: { environment: 'sandbox' },
    status: 201,
    findIds: ({ body }) => [body.id],
    environment: 'sandbox',
  }),
  revokeKey: async () => {
    const ids = await readKeyIds('sandbox');
    return { params: { environment: 'sandbox' }, status: 204, findIds: () => ids, environment: 'sandbox' };
  },
  signOut: async () => {
    const id = await readSessionId(owner);
    return { status: 204, findIds: () => [id] };
  },
  revokeSession: async () => {
    const id = await readSessionId(await signIn(system, account, 'support'));
    return { params: { id }, status: 204, findIds: () => [id] };
  },
  registerPasskey: async () => ({
    body: { name: null, credential: await createCredential() },
    status: 201,
    findIds: ({ body }) => [body.id],
  }),
  removePasskey: async () => {
    const credential = await createCredential();
    const { headers } = owner;
    const { body } = await system.call('POST', '/console/api/passkeys', { headers, body: { credential } });
    return { params: { id: body.id }, status: 204, findIds: () => [body.id] };
  },
};

const acts = consoleContract
  .filter(({ callers, audits }) => callers.includes(colleagueKind) && audits)
  .map((endpoint) => ({ name: endpoint.route.operationId, endpoint }));

describe.each(acts)('$name', ({ name, endpoint: { route, audits } }) => {
  test('leaves one entry with what it was about', async () => {
    const sample = await actSamples[name]?.();
    if (!sample) throw new Error(`${name} has no sample`);
    const { headers, colleague } = owner;
    const response = await system.call(route.method.toUpperCase(), pathOf(route.path, sample.params), {
      headers,
      ...(sample.body ? { body: sample.body } : {}),
    });
    expect(response.status).toBe(sample.status);
    const { environment } = sample;
    const reader = await signIn(system, account, 'owner', environment ?? 'live');
    const path = `/v1/audit?action=${audits}&actor=${colleague.id}`;
    const entries: AuditEntry[] = (await system.call('GET', path, { headers: reader.headers })).body.data;
    expect(entries).toMatchObject([
      { outcome: 'done', environment: environment ?? null, resource_ids: await sample.findIds(response) },
    ]);
    expect(entries[0]?.resource_ids).not.toEqual([]);
  });
});

test('there are acts of the console to test', () => expect(acts.length).toBeGreaterThanOrEqual(10));

describe('ten minutes after signing in', () => {
  const guarded = [...contract, ...consoleContract]
    .filter(({ route }) => listedOperations.includes(route.operationId))
    .filter(({ route }) => rightOf('owner', route.operationId) === 'recent')
    .map((endpoint) => ({ name: endpoint.route.operationId, endpoint }));

  test.each(guarded)('$name is refused', async ({ name, endpoint: { route } }) => {
    const sample = await actSamples[name]?.();
    const later = await timeTravelSystem();
    const own = await later.account();
    const userId = await later.user(own.live_key);
    const { headers } = await signIn(later, own);
    const { params, body } = sample ?? (await samples[name]?.({ system: later, token: own.live_key, userId })) ?? {};
    later.clock.advance(600_000);
    const response = await later.call(route.method.toUpperCase(), pathOf(route.path, params), {
      headers,
      ...(body ? { body } : {}),
    });
    expect([response.status, response.body.error]).toEqual([403, 'recent_sign_in_required']);
  });
});
