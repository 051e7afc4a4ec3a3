import { beforeAll, expect, test } from 'vitest';
import { contract } from '../../functions/api/reference/contract.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { testEveryRoute } from './every-route.ts';
import { samples } from './samples.ts';

testEveryRoute({ form: 2, endpoints: contract, samples });

let system: System;
beforeAll(async () => {
  system = await sharedSystem();
});

test('an unknown path is a documented 404, for every method', async () => {
  const account = await system.account();
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'])
    for (const path of ['//', '/v1', '/v2/users', '/v1/users/', '/v1/nothing', '/v1/users/a/b/c', '/wp-login.php']) {
      const response = await system.call(method, path, { token: account.live_key });
      expect([path, response.status, response.body.error]).toEqual([path, 404, 'not_found']);
    }
});
