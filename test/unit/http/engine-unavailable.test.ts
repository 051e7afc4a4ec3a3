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
  let away = true;
  const unlessAway = <T>(call: () => Promise<T>): Promise<T> =>
    away ? Promise.reject(new EngineUnavailable('away')) : call();
  const { table } = world;
  const failing: Table = {
    ...table,
    get: (...given) => unlessAway(() => table.get(...given)),
    query: (...given) => unlessAway(() => table.query(...given)),
    batchGet: (...given) => unlessAway(() => table.batchGet(...given)),
  };
  const api = catalogsApi(world.withTable(failing));
  const ask = async (headers: Record<string, string>) =>
    (await requestInProcess(api, '/v1/metrics', { headers })).status;
  for (let call = 0; call < addressRateLimit.burst; call++)
    expect(await ask({ authorization: `Bearer ${token}` })).toBeGreaterThanOrEqual(500);
  away = false;
  expect(await ask({})).toBe(401);
});
