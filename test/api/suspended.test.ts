// Suspended accounts: reads are rejected from the next request on. Phones can still upload, so that
// no measurement is lost in the meantime.
import { beforeAll, describe, expect, test } from 'vitest';
import { userToken } from '../../functions/api/callers/user-token.ts';
import { contract } from '../../functions/api/reference/contract.ts';
import type { AccountStatus } from '../../shared/accounts/account.ts';
import { type NewAccount, setAccountStatus } from '../../shared/accounts/accounts.ts';
import { openPhone } from '../harness/phone.ts';
import { createCredentials, exchange, makeUpload, openSession, refresh, upload } from '../harness/sdk.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { pathOf, samples } from './samples.ts';

let system: System;
let account: NewAccount;
let user: string;
let token: string;
beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  user = await system.user(account.live_key);
  token = await system.userToken(account.live_key, user);
});

const setStatus = (status: AccountStatus) => setAccountStatus(system.host.deps, account.account_id, status);
const outcomeOf = ({ status, body }: ApiResponse): string => `${status} ${body?.error ?? 'ok'}`;
const userTokenEndpoints = contract
  .filter(({ callers }) => callers.includes(userToken))
  .map((endpoint) => ({ name: `${endpoint.route.method.toUpperCase()} ${endpoint.route.path}`, endpoint }));

describe('a user token', () => {
  test.each(userTokenEndpoints)(
    'is rejected by $name on the next request, and works again when the plan is resumed',
    async ({ endpoint }) => {
      const sample = await samples[endpoint.route.operationId]?.({ system, token: account.live_key, userId: user });
      const read = async () =>
        outcomeOf(
          await system.call('GET', pathOf(endpoint.route.path, sample?.params) + (sample?.query ?? ''), { token }),
        );
      expect(await read()).toBe('200 ok');
      await setStatus('suspended');
      expect(await read()).toBe('402 payment_required');
      await setStatus('active');
      expect(await read()).toBe('200 ok');
    },
  );
});

describe('a phone', () => {
  const walk = makeUpload({ samples: [{ metric: 'steps', start: '2026-03-10T09:00:00Z', value: 7, unit: 'count' }] });

  test('uploads, refreshes and starts its session as before, and its data can be read when the plan is resumed', async () => {
    const ada = await system.user(account.live_key);
    const waiting = await openSession(system, account.live_key, ada);
    const phone = await openPhone(system, account.live_key, ada);
    await setStatus('suspended');
    expect(outcomeOf(await phone.upload(walk))).toBe('202 ok');
    const renewed = await refresh(system, phone.refreshToken);
    expect(outcomeOf(renewed)).toBe('200 ok');
    expect(outcomeOf(await upload(system, renewed.body.access_token, makeUpload()))).toBe('202 ok');
    expect(outcomeOf(await exchange(system, waiting.client_token))).toBe('200 ok');
    expect((await createCredentials(system, account.live_key, ada)).user_id).toBe(ada);
    await system.host.drain();

    const path = `/v1/users/${ada}/daily?from_date=2026-03-10&to_date=2026-03-10&types=steps`;
    const refused = await system.call('GET', path, { token: account.live_key });
    expect(outcomeOf(refused)).toBe('402 payment_required');
    expect(refused.body).toMatchObject({
      message:
        'The operator of this deployment has suspended the account. No data is lost. Ask the operator to resume it.',
      details: { suspended_by: 'operator' },
    });
    await setStatus('active');
    expect((await system.call('GET', path, { token: account.live_key })).body.series).toEqual({ steps: [7] });
  });
});
