import { expect, test } from 'vitest';
import { issueMobileToken, mobileTokenHash } from '../../../shared/mobile/mobile-token.ts';
import { mobileTokenRows } from '../../../shared/mobile/mobile-token-rows.ts';
import { createUser } from '../../../shared/users/users.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

test('a scope requested twice is granted once', async () => {
  const { deps } = memoryDeps();
  const caller = { kind: 'api_key', account: 'acc_1', env: 'live', form: 2 } as const;
  const { id } = await createUser(deps, caller, {});
  const { token } = await issueMobileToken(deps, caller, { userId: id, scopes: ['sleep', 'activity', 'sleep'] });
  const row = await mobileTokenRows(deps.store).findByHash(mobileTokenHash(deps, token));
  expect(row?.scopes).toEqual(['sleep', 'activity']);
});
