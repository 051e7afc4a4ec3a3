// Sharing is revoked at any call while a token is issued, exchanged or refreshed: the result is
// invalid, even after the user shares again.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { createUserTokenAdmission } from '../../../shared/accounts/admit-user-token.ts';
import { createUserTokenIssuer } from '../../../shared/accounts/tokens.ts';
import { createUserTokenVerifier } from '../../../shared/accounts/user-token-verifier.ts';
import { connectDevice } from '../../../shared/connections/connect/begin-connection.ts';
import { createConnectLink, openConnectLink } from '../../../shared/connections/connect/connect-link.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { admitPhone, parseAccessToken } from '../../../shared/mobile/admit-phone.ts';
import { exchangeToken } from '../../../shared/mobile/exchange-token.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import { openSession } from '../../../shared/mobile/open-session.ts';
import { refreshCredentials } from '../../../shared/mobile/refresh-credentials.ts';
import type { SdkCredentials, SdkSessionRequest } from '../../../shared/mobile/sdk-session.ts';
import { listSessions } from '../../../shared/mobile/sdk-sessions.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import type { LinkingCaller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { removeMember } from '../../../shared/team/members.ts';
import { interleavedTable } from '../../harness/interleaved-table.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { createMember } from '../../harness/team-members.ts';

const origin = 'https://day.example';
const phone: SdkSessionRequest = {
  app_id: 'com.example.health',
  installation_id: randomUUID(),
  platform: 'ios',
  provider: 'apple_health',
};
const walk = UploadBody.parse({
  time_zone: 'UTC',
  device: { name: 'Watch', model: 'W1', type: 'wrist' },
  samples: [{ metric: 'steps', start: '2026-03-10T09:00:00Z', value: 7, unit: 'count' }],
});

interface SharingUser {
  memory: MemoryDeps;
  caller: LinkingCaller;
  user: string;
  leave(): Promise<void>;
  comeBack(): Promise<unknown>;
}

async function createSharingUser(): Promise<SharingUser> {
  const memory = memoryDeps();
  const { deps } = memory;
  const { account_id: account } = await createAccount(deps, { name: 'The Lab' });
  const caller: LinkingCaller = { kind: 'api_key', account, env: 'live', form: 2, keyHash: null };
  const { member, user } = await createMember(deps, account);
  return {
    ...{ memory, caller, user },
    leave: () => removeMember(deps, caller, member),
    comeBack: () => createMember(deps, account, { user_id: user }),
  };
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'good',
    (error: { code?: string }) => error.code ?? String(error),
  );

const openTestSession = (deps: Deps, { caller, user }: SharingUser, idempotencyKey = randomUUID()) =>
  openSession(deps, caller, { userId: user, idempotencyKey, body: phone, origin });
async function uploadWith(deps: Deps, { access_token }: SdkCredentials): Promise<unknown> {
  const claims = parseAccessToken(deps, access_token);
  if (!claims) throw new Error('no access token');
  const { caller } = await admitPhone(deps, claims);
  return acceptUpload(deps, caller, walk);
}

/** Tries the issued credential and returns the resulting codes. */
type Use = () => Promise<string[]>;
interface RaceCase {
  /** Runs before the user leaves; the function it returns runs while they do. */
  prepare(deps: Deps, sharingUser: SharingUser): Promise<(own: Deps) => Promise<Use>>;
  /** The code if the user has left before it is done. */
  refusal: string;
  /** The codes of its use while the user shares nothing, and afterwards. */
  dead: string[];
  deadAfter: string[];
}

const useCredentials =
  (deps: Deps, issued: SdkCredentials): Use =>
  () =>
    Promise.all([codeOf(uploadWith(deps, issued)), codeOf(refreshCredentials(deps, issued.refresh_token))]);
const useClientToken =
  (deps: Deps, client_token: string): Use =>
  () =>
    Promise.all([codeOf(exchangeToken(deps, { client_token }))]);
const forCredentials = {
  refusal: 'invalid_token',
  dead: ['sharing_revoked', 'invalid_token'],
  deadAfter: ['invalid_token', 'invalid_token'],
};
const forClientToken = { refusal: 'sharing_revoked', dead: ['invalid_token'], deadAfter: ['invalid_token'] };

const raceCases: Record<string, RaceCase> = {
  'a client token is exchanged': {
    ...forCredentials,
    async prepare(deps, sharingUser) {
      const { client_token } = (await openTestSession(deps, sharingUser)).bootstrap;
      return async (own) => useCredentials(deps, await exchangeToken(own, { client_token }));
    },
  },
  'a mobile token is exchanged': {
    ...forCredentials,
    async prepare(deps, { caller, user }) {
      const { token: client_token } = await issueMobileToken(deps, caller, { userId: user });
      return async (own) => useCredentials(deps, await exchangeToken(own, { client_token }));
    },
  },
  'credentials are refreshed': {
    ...forCredentials,
    async prepare(deps, sharingUser) {
      const { client_token } = (await openTestSession(deps, sharingUser)).bootstrap;
      const { refresh_token } = await exchangeToken(deps, { client_token });
      return async (own) => useCredentials(deps, await refreshCredentials(own, refresh_token));
    },
  },
  'a session is opened': {
    ...forClientToken,
    prepare: async (deps, sharingUser) => async (own) =>
      useClientToken(deps, (await openTestSession(own, sharingUser)).bootstrap.client_token),
  },
  'a mobile token is issued': {
    ...forClientToken,
    prepare:
      async (deps, { caller, user }) =>
      async (own) =>
        useClientToken(deps, (await issueMobileToken(own, caller, { userId: user })).token),
  },
  'a user token is issued': {
    refusal: 'sharing_revoked',
    dead: ['sharing_revoked'],
    deadAfter: ['invalid_token'],
    prepare:
      async (deps, { caller, user }) =>
      async (own) => {
        const claims = await createUserTokenVerifier(deps)((await createUserTokenIssuer(own)(caller, user)).token);
        return () => Promise.all([codeOf(createUserTokenAdmission(deps).admit(claims))]);
      },
  },
  'a connect link is created': {
    refusal: 'sharing_revoked',
    dead: ['link_revoked'],
    deadAfter: ['link_revoked'],
    prepare:
      async (deps, { caller, user }) =>
      async (own) => {
        const { url } = await createConnectLink(own, caller, user, {}, origin);
        const shown = () => openConnectLink(deps, url.slice(url.lastIndexOf('/') + 1));
        return async () => [await shown()].map((page) => (typeof page === 'string' ? page : 'good'));
      },
  },
};

test.each(Object.entries(raceCases))(
  'a revocation of sharing while %s leaves nothing valid',
  async (_what, { prepare, refusal, dead, deadAfter }) => {
    let refused = 0;
    for (let n = 1; ; n++) {
      const sharingUser = await createSharingUser();
      const { deps, table } = sharingUser.memory;
      const attempt = await prepare(deps, sharingUser);
      const overtaken = interleavedTable(table, n, sharingUser.leave);
      let use: Use | undefined;
      const outcome = await codeOf(
        attempt(sharingUser.memory.withTable(overtaken.table)).then((issued) => {
          use = issued;
        }),
      );
      if (!overtaken.hasRun()) {
        expect([outcome, refused > 0]).toEqual(['good', true]);
        return;
      }
      if (outcome !== 'good') refused++;
      const left = `left before call ${n}`;
      expect(outcome === 'good' ? await use?.() : [outcome], left).toEqual(outcome === 'good' ? dead : [refusal]);
      expect(await listSessions(deps, sharingUser.caller, sharingUser.user), left).toEqual([]);
      await sharingUser.comeBack();
      expect(await use?.(), left).toEqual(use && deadAfter);
      expect(await listSessions(deps, sharingUser.caller, sharingUser.user), left).toEqual([]);
    }
  },
);

test('a new connection is rejected and leaves no pending device', async () => {
  const sharingUser = await createSharingUser();
  const { deps } = sharingUser.memory;
  await sharingUser.leave();
  const begun = connectDevice(deps, sharingUser.caller, sharingUser.user, { provider: 'oura' }, origin);
  expect(await codeOf(begun)).toBe('sharing_revoked');
});

test('an Idempotency-Key from before the revocation opens a valid session', async () => {
  const sharingUser = await createSharingUser();
  const { deps } = sharingUser.memory;
  const key = randomUUID();
  const first = await openTestSession(deps, sharingUser, key);
  await sharingUser.leave();
  await sharingUser.comeBack();
  const again = await openTestSession(deps, sharingUser, key);
  expect(again.bootstrap.client_token).not.toBe(first.bootstrap.client_token);
  expect((await openTestSession(deps, sharingUser, key)).bootstrap).toEqual(again.bootstrap);
  const issued = await exchangeToken(deps, { client_token: again.bootstrap.client_token });
  expect(await codeOf(uploadWith(deps, issued))).toBe('good');
  expect(await listSessions(deps, sharingUser.caller, sharingUser.user)).toMatchObject([{ status: 'active' }]);
});
