// Which acts the endpoints declare, over every file of routes.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRoute } from '@hono/zod-openapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiKey } from '../../../functions/api/callers/api-key.ts';
import { auditActions, auditRules } from '../../../shared/audit/actions.ts';
import { defineEndpoint, type Endpoint } from '../../../shared/http/endpoint.ts';

const folder = join(import.meta.dirname, '../../../functions/api');
const endpoints: Endpoint[] = [];

beforeAll(async () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /routes\.ts$/.test(name));
  for (const file of files)
    endpoints.push(...Object.values<Endpoint>(await import(join(folder, file))).filter((value) => 'route' in value));
});

const callable = () => endpoints.filter(({ callers }) => callers.includes(apiKey));

describe('every endpoint', () => {
  test('that is not a GET says which act it is, or that it is none', () => {
    const silent = endpoints.filter(({ route, audits }) => route.method !== 'get' && audits === undefined);
    expect(silent.map(({ route }) => route.operationId)).toEqual([]);
    expect(endpoints.filter(({ audits }) => audits).length).toBeGreaterThan(20);
  });

  test('that an API key may call and that is not a GET is an act', () => {
    const ignored = callable().filter(({ route, audits }) => route.method !== 'get' && !audits);
    expect(ignored.map(({ route }) => route.operationId)).toEqual([]);
  });

  test('that is not a GET says what it changes or hands out', () => {
    const silent = endpoints.filter(({ route, changes }) => route.method !== 'get' && changes === undefined);
    expect(silent.map(({ route }) => route.operationId)).toEqual([]);
  });

  test('does not compile without saying so, unless it is a GET', () => {
    const [path, responses] = ['/v1/acme', { 204: { description: 'Done.' } }] as const;
    const options = { callers: [apiKey], reveals: 'state' } as const;
    defineEndpoint(createRoute({ method: 'get', path, operationId: 'look', responses }), options);
    const act = createRoute({ method: 'post', path, operationId: 'act', responses });
    // @ts-expect-error A POST has to say which act it is.
    defineEndpoint(act, { ...options, changes: 'state' });
    // @ts-expect-error A POST has to say what it changes.
    defineEndpoint(act, { ...options, audits: false });
    // @ts-expect-error What needs a recent sign-in follows from what it changes.
    defineEndpoint(act, { ...options, audits: false, changes: 'data', needsRecentSignIn: true });
    defineEndpoint(act, { ...options, audits: false, changes: 'data' });
  });
});

test('what a backend does for every user is not recorded for API keys, and everything else is', () => {
  expect(auditActions.filter((action) => auditRules[action].skipsApiKeys).sort()).toEqual([
    'connect_link.created',
    'device.connection_started',
    'device.sync_requested',
    'mobile_token.created',
    'sdk_session.created',
    'user.created',
    'user.looked_at',
    'user.updated',
    'user_token.created',
  ]);
});
