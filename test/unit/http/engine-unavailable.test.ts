import { expect, test } from 'vitest';
import { catalogsApi } from '../../../functions/api/catalogs/app.ts';
import { createUserTokenIssuer } from '../../../shared/accounts/tokens.ts';
import { EngineUnavailable, type Table } from '../../../shared/platform/ports.ts';
import { addressRateLimit } from '../../../shared/platform/rate-limit.ts';
import { createUser } from '../../../shared/users/users.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

test('a caller who cannot be recognized because the table is unavailable does not use up the limit of their address', async () => {
  const world = memoryDeps();
  const caller = { kind: 'api_key', account: 'acc_1', env: 'live', form: 2 } as const;
  const { id } = await createUser(world.deps, caller, {});
  const { token } = await createUserTokenIssuer(world.deps)(caller, id);
  let isUnavailable = true;
  const unlessUnavailable = <T>(call: () => Promise<T>): Promise<T> =>
    isUnavailable ? Promise.reject(new EngineUnavailable('away')) : call();
  const { table } = world;
  const failing: Table = {
    ...table,
    get: (...args) => unlessUnavailable(() => table.get(...args)),
    query: (...args) => unlessUnavailable(() => table.query(...args)),
    batchGet: (...args) => unlessUnavailable(() => table.batchGet(...args)),
  };
  const api = catalogsApi(world.withTable(failing));
  const sendRequest = async (headers: Record<string, string>) =>
    (await requestInProcess(api, '/v1/metrics', { headers })).status;
  for (let call = 0; call < addressRateLimit.burst; call++)
    expect(await sendRequest({ authorization: `Bearer ${token}` })).toBeGreaterThanOrEqual(500);
  isUnavailable = false;
  expect(await sendRequest({})).toBe(401);
});
