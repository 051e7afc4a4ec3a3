// Uses and refreshes the tokens of a user, with a fake provider and a fake store.
import { describe, expect, test } from 'vitest';
import { Superseded, TokenRefused } from '../../../../shared/connections/client/sync-errors.ts';
import { openTokens } from '../../../../shared/connections/client/user-tokens.ts';
import { grantContext } from '../../../../shared/connections/connection-rows.ts';
import type { SealedGrant } from '../../../../shared/connections/sync-rows.ts';
import type { Grant } from '../../../../shared/providers/kit/grant.ts';
import type { ProviderRequest } from '../../../../shared/providers/kit/request-flow.ts';
import { createStandardGrant } from '../../../../shared/providers/kit/standard-grant.ts';
import { oura } from '../../../../shared/providers/oura/descriptor.ts';
import { memoryDeps, memoryStartMs } from '../../../harness/memory-deps.ts';
import { makeResponse, testCredentials } from '../../../harness/request-flow.ts';

const tokens = { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 3_600, scope: 'daily heartrate' };
const minuteMs = 60_000;

async function openTestTokens(overrides: Partial<Grant>, isStored = true) {
  const { deps, clock } = memoryDeps();
  clock.freeze();
  const ids = { user: 'usr_1', device: 'dev_1' };
  const grant: Grant = {
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    expiresMs: null,
    scopes: null,
    ...overrides,
  };
  const row = { ...ids, env: 'live', provider: 'oura', providerAccount: 'ann' } as const;
  const sealed = await deps.vault.seal(JSON.stringify(grant), grantContext(ids));
  const asked: ProviderRequest[] = [];
  const kept: SealedGrant[] = [];
  const providerClient = {
    async send(request: ProviderRequest) {
      asked.push(request);
      return makeResponse(tokens);
    },
  };
  const saveGrant = async (sealedGrant: SealedGrant) => {
    kept.push(sealedGrant);
    return isStored;
  };
  const rules = { grant: createStandardGrant(oura) };
  const opened = openTokens(
    deps,
    { ...row, grant: sealed },
    rules,
    { credentials: testCredentials },
    providerClient,
    saveGrant,
  );
  return { opened, asked, kept };
}
const accessToken = async ({ opened }: Awaited<ReturnType<typeof openTestTokens>>) =>
  (await opened.current()).grant.accessToken;

describe('tokens', () => {
  test('about to expire are refreshed before use', async () => {
    expect(await accessToken(await openTestTokens({ expiresMs: memoryStartMs + minuteMs }))).toBe('access-2');
    expect(await accessToken(await openTestTokens({ expiresMs: memoryStartMs + minuteMs + 1 }))).toBe('access-1');
    expect(await accessToken(await openTestTokens({ expiresMs: null }))).toBe('access-1');
  });

  test('that cannot be refreshed are used until the provider refuses them, and no refresh is requested', async () => {
    const last = await openTestTokens({ expiresMs: memoryStartMs - 1, refreshToken: null });
    expect(await accessToken(last)).toBe('access-1');
    await expect(last.opened.renew()).rejects.toBeInstanceOf(TokenRefused);
    expect(last.asked).toEqual([]);
  });

  test('are stored with their scopes before they are used', async () => {
    const { opened, kept } = await openTestTokens({});
    expect((await opened.renew()).grant.accessToken).toBe('access-2');
    expect(kept).toMatchObject([{ grantExpiresMs: memoryStartMs + 60 * minuteMs, scopes: ['daily', 'heartrate'] }]);
    expect(opened.hasRenewed()).toBe(true);
  });

  test('that cannot be stored are not used', async () => {
    const { opened } = await openTestTokens({}, false);
    await expect(opened.renew()).rejects.toBeInstanceOf(Superseded);
    expect((await opened.latest()).grant.accessToken).toBe('access-1');
    expect(opened.hasRenewed()).toBe(false);
  });
});
