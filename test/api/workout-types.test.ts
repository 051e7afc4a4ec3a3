import { beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { createCredentials, makeUpload, upload } from '../harness/sdk.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let account: NewAccount;
beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
});

describe('the catalog of workout types', () => {
  const readCatalog = (headers: Record<string, string> = {}) =>
    system.call('GET', '/v1/workout-types', { token: account.live_key, headers });

  test('lists every type after its parent', async () => {
    const { status, body } = await readCatalog();
    expect(status).toBe(200);
    const types: { id: string; parent: string | null }[] = body.workout_types;
    expect(types).toContainEqual({ id: 'trail_running', display_name: 'Trail running', parent: 'running' });
    expect(types.at(-1)).toEqual({ id: 'other', display_name: 'Other', parent: null });
    const ids = types.map(({ id }) => id);
    for (const [at, { parent }] of types.entries()) if (parent) expect(ids.slice(0, at)).toContain(parent);
  });

  test('is not sent again to a caller that has it', async () => {
    const etag = (await readCatalog()).headers.get('etag') ?? '';
    const again = await readCatalog({ 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('is for API keys only', async () => {
    expect((await system.call('GET', '/v1/workout-types')).status).toBe(401);
    expect((await system.call('POST', '/v1/workout-types', { token: account.live_key })).status).toBe(405);
  });
});

test('an uploaded workout gets a type of the catalog for any source type, and shows the source type', async () => {
  const userId = await system.user(account.live_key, { timezone: 'UTC' });
  const { access_token } = await createCredentials(system, account.live_key, userId);
  const names = [
    'HKWorkoutActivityTypeTraditionalStrengthTraining',
    'EXERCISE_TYPE_RUNNING',
    'Running',
    'kite buggying',
  ];
  const workouts = names.map((type, at) => ({
    type,
    start: `2026-03-14T0${at}:00:00Z`,
    end: `2026-03-14T0${at}:40:00Z`,
  }));
  const response = await upload(system, access_token, makeUpload({ workouts }));
  expect([response.body.accepted, response.body.rejected_count]).toEqual([4, 0]);
  await system.host.drain();
  const path = `/v1/users/${userId}/workouts?from_date=2026-03-14&to_date=2026-03-14`;
  const { body } = await system.call('GET', path, { token: account.live_key });
  const shown = body.data.map(({ type, source_type }: Record<string, string>) => [type, source_type]);
  expect(shown).toEqual([
    ['other', 'kite buggying'],
    ['running', 'Running'],
    ['running', 'EXERCISE_TYPE_RUNNING'],
    ['strength_training', 'HKWorkoutActivityTypeTraditionalStrengthTraining'],
  ]);
  const [{ id }] = body.data;
  const full = await system.call('GET', `/v1/users/${userId}/workouts/${id}`, { token: account.live_key });
  expect(full.body).toMatchObject({ type: 'other', source_type: 'kite buggying', name: 'Other' });
});
