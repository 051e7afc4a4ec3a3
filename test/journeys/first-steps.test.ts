import { expect, test } from 'vitest';
import { userPartition } from '../../shared/system/keys.ts';
import { onEveryEngine } from '../harness/every-engine.ts';
import { startSystem } from '../harness/system.ts';

onEveryEngine('first steps', (tableEngine) => {
  test('an account creates a user, issues a token, finds, changes and deletes the user, and nothing of it remains', async () => {
    const system = await startSystem({ tableEngine });
    try {
      const { live_key: token, sandbox_key } = await system.account();
      const call = async (status: number, method: string, path: string, options: object = {}) => {
        const response = await system.call(method, path, { token, ...options });
        expect([method, path, response.status]).toEqual([method, path, status]);
        return response.body;
      };
      const created = await call(201, 'POST', '/v1/users', {
        body: { external_ref: 'ada', timezone: 'Europe/London', profile: { height_cm: 171.5 } },
      });
      const path = `/v1/users/${created.id}`;
      const issued = await call(200, 'POST', '/v1/auth/user-token', { body: { user_id: created.id } });
      expect(await call(200, 'GET', `${path}/devices`, { token: issued.token })).toEqual({ data: [] });
      expect(await call(200, 'GET', '/v1/users')).toEqual({ data: [created], next_cursor: null });
      expect(await call(200, 'GET', '/v1/users?external_ref=ada')).toEqual({ data: [created], next_cursor: null });
      expect(await call(200, 'GET', '/v1/users', { token: sandbox_key })).toEqual({ data: [], next_cursor: null });
      await call(409, 'POST', '/v1/users', { body: { external_ref: 'ada' } });

      const changed = await call(200, 'PATCH', path, {
        body: { external_ref: 'lovelace', profile: { sex: 'female' } },
      });
      expect(changed).toEqual({
        ...created,
        external_ref: 'lovelace',
        profile: { height_cm: 171.5, sex: 'female' },
      });
      expect(await call(200, 'GET', path)).toEqual({ ...changed, devices: [] });

      expect(await call(202, 'DELETE', path)).toMatchObject({ id: created.id, status: 'deleting' });
      await call(404, 'GET', path);
      await call(404, 'GET', `${path}/devices`, { token: issued.token });
      await system.settle();
      const left = await system.host.table.query({
        where: '#pk = :pk',
        values: { pk: userPartition(created.id) },
        consistent: true,
      });
      expect(left.items).toEqual([]);
      expect(await system.host.deadLetters('user')).toEqual([]);
      await call(201, 'POST', '/v1/users', { body: { external_ref: 'lovelace' } });
    } finally {
      await system.stop();
    }
  });
});
