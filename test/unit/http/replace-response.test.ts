import { Context } from 'hono';
import { expect, test } from 'vitest';
import type { ApiEnv } from '../../../shared/http/api-env.ts';
import { replaceResponse } from '../../../shared/http/replace-response.ts';

test('a replaced response has only the headers that it is given', () => {
  const c = new Context<ApiEnv>(new Request('https://daybook.example/'));
  c.res = new Response('old', { headers: { 'x-old': 'yes' } });
  replaceResponse(c, null, { status: 304, headers: new Headers({ 'x-new': 'yes' }) });
  expect([c.res.status, c.res.headers.get('x-old'), c.res.headers.get('x-new')]).toEqual([304, null, 'yes']);
});
