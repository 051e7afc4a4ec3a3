// A POST that takes no body refuses one, whatever it contains.
import { beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../../functions/api/reference/contract.ts';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { refusesBody } from '../../shared/http/unread-body.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { pathOf, samples } from './samples.ts';

let system: System;
let account: NewAccount;
let userId: string;
beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  userId = await system.user(account.live_key);
});

const endpoints = contract.filter(refusesBody);

test('the calls without a body are those that repeat, test or renew something', () => {
  expect(endpoints.map(({ route }) => route.operationId).sort()).toEqual([
    'redeliverWebhookDelivery',
    'replayDevice',
    'resendInvitation',
    'rotateWebhookSecret',
    'syncDevice',
    'testWebhook',
  ]);
});

describe.each(endpoints.map((endpoint) => ({ name: endpoint.route.path, endpoint })))('$name', ({ endpoint }) => {
  async function send(raw: string) {
    const token = account.live_key;
    const sample = await samples[endpoint.route.operationId]?.({ system, token, userId });
    if (!sample) throw new Error(`${endpoint.route.operationId} has no sample`);
    const response = await system.call('POST', pathOf(endpoint.route.path, sample.params), { token, raw });
    return { response, sample };
  }

  test('refuses a body, because it reads none', async () => {
    for (const raw of ['{"from_date":"2026-03-01"}', 'hello', '[]', 'null', `{${' '.repeat(20_000)}}`]) {
      const { response } = await send(raw);
      expect([response.status, response.body.error]).toEqual([400, 'invalid_body']);
      expect(response.body.message).toBe('This call takes no body. Send it without one.');
    }
  });

  test('accepts an empty object, which some clients send with every POST', async () => {
    const { response, sample } = await send(' {} ');
    expect(response.status).toBe(sample.status);
  });
});
