import { expect, test } from 'vitest';
import * as z from 'zod';
import { bodyTurns } from '../../../shared/http/body-turns.ts';
import { headersOf } from '../../../shared/http/message.ts';
import { withBody } from '../../../shared/http/parse.ts';

const route = { method: 'post', path: '/x', callers: [], answers: {}, failures: [], body: z.looseObject({}) } as never;
const post = (text: string) =>
  withBody(
    route,
    {
      method: 'POST',
      url: 'http://x/',
      headers: headersOf({ 'content-type': 'application/json' }),
      body: Buffer.from(text),
    },
    bodyTurns(),
    async (body) => body,
  );

test('a field whose name only ends like it is a field like any other', async () => {
  const text = JSON.stringify({ 'a"__proto__': 1, __proto: 2, text: '"__proto__":' });
  expect(await post(text)).toEqual(JSON.parse(text));
});

test.each([
  '__proto__',
  '\\u005f_proto__',
  '__pr\\u006fto__',
  '__\\u0070roto_\\u005F',
  '\\u005f\\u005F\\u0070\\u0072\\u006F\\u0074\\u006f\\u005f\\u005f',
])('the field "%s" is refused however it is written', async (name) => {
  await expect(post(`{"a":{"${name}" :1}}`)).rejects.toMatchObject({ code: 'invalid_body' });
});
