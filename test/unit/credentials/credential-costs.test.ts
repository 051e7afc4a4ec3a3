// What it costs to make a credential, and to admit one while the tokens of colleagues have ended.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createAccount, endUserTokens } from '../../../shared/accounts/accounts.ts';
import { createUserTokenAdmission } from '../../../shared/accounts/admit-user-token.ts';
import { createUserTokenIssuer } from '../../../shared/accounts/tokens.ts';
import { createUserTokenVerifier } from '../../../shared/accounts/user-token-verifier.ts';
import { createConnectLink } from '../../../shared/connections/connect/connect-link.ts';
import { createColleague } from '../../../shared/console/colleagues.ts';
import { exchangeToken } from '../../../shared/mobile/exchange-token.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import { openSession } from '../../../shared/mobile/open-session.ts';
import { refreshCredentials } from '../../../shared/mobile/refresh-credentials.ts';
import type { Meter } from '../../../shared/platform/ports.ts';
import type { LinkingCaller } from '../../../shared/system/caller.ts';
import { createUser } from '../../../shared/users/users.ts';
import { openEngineDomainWorld } from '../../harness/domain-world.ts';

const calls: Parameters<Meter>[0][] = [];
const world = await openEngineDomainWorld((call) => calls.push(call));
afterAll(() => world.localTable.stop());

const { account_id: account } = await createAccount(world.deps, { name: 'The Lab' });
const backend: LinkingCaller = { kind: 'api_key', account, env: 'live', form: 2, keyHash: null };
const addMaker = async (email: string): Promise<LinkingCaller> => {
  const { id, makerEpoch } = await createColleague(world.deps, account, { email, role: 'developer' });
  return { ...backend, kind: 'colleague', maker: { account, colleague: id, epoch: makerEpoch } };
};
const colleague = await addMaker('maker@example.com');
const { id: user } = await createUser(world.deps, backend, {});
const origin = 'https://daybook.example.com';

async function countCosts(work: () => Promise<unknown>) {
  calls.splice(0);
  await work();
  return { calls: calls.length, write: calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0) };
}

const issueUserToken = createUserTokenIssuer(world.deps);
const openPhone = (caller: LinkingCaller) => {
  const body = {
    app_id: 'com.example',
    installation_id: randomUUID(),
    platform: 'ios',
    provider: 'apple_health',
  } as const;
  return openSession(world.deps, caller, { userId: user, idempotencyKey: randomUUID(), body, origin });
};
const refreshOf = async (caller: LinkingCaller) => {
  const { client_token } = (await openPhone(caller)).bootstrap;
  const { refresh_token } = await exchangeToken(world.deps, { client_token });
  return () => refreshCredentials(world.deps, refresh_token);
};

// A transaction takes two units for each row: the check of the colleague, the row under the
// colleague, and the row that erases it with the user.
test.each<[string, (caller: LinkingCaller) => Promise<unknown>, number, number]>([
  ['user token', (caller) => issueUserToken(caller, user), 0, 8],
  ['mobile token', (caller) => issueMobileToken(world.deps, caller, { userId: user }), 6, 12],
  ['connect link', (caller) => createConnectLink(world.deps, caller, user, {}, origin), 4, 10],
  ['SDK session', openPhone, 8, 14],
])(
  'a %s costs an API key what it did before, and a colleague three rows more',
  async (_kind, make, byKey, byColleague) => {
    await make(backend);
    expect((await countCosts(() => make(backend))).write).toBe(byKey);
    expect((await countCosts(() => make(colleague))).write).toBe(byColleague);
  },
);

test('a phone renews a session of an API key by one write, and one of a colleague by three', async () => {
  expect(await countCosts(await refreshOf(backend))).toEqual({ calls: 2, write: 1 });
  expect(await countCosts(await refreshOf(colleague))).toEqual({ calls: 4, write: 3 });
});

test('a user token is admitted by two calls and one write unit, whoever made it and however many have ended', async () => {
  const admission = createUserTokenAdmission(world.deps);
  const verify = createUserTokenVerifier(world.deps);
  const tokens = await Promise.all([backend, colleague].map((caller) => issueUserToken(caller, user)));
  const claims = await Promise.all(tokens.map(({ token }) => verify(token)));
  const [first] = claims;
  if (first) await admission.admit(first);
  for (const each of ['1', '2', '3']) {
    const { maker } = await addMaker(`ended-${each}@example.com`);
    if (maker) await endUserTokens(world.deps, maker);
  }
  for (const each of claims) {
    world.clock.advance(60_000);
    expect(await countCosts(() => admission.admit(each))).toEqual({ calls: 2, write: 1 });
  }
});
