import { expect, test } from 'vitest';
import { ProviderUnavailable, sendToProvider } from '../../../../shared/connections/client/send-to-provider.ts';
import type { HttpRequest, HttpResponse } from '../../../../shared/platform/ports.ts';

function fakeProvider(reply: HttpResponse) {
  const sent: HttpRequest[] = [];
  const client = {
    async send(request: HttpRequest) {
      sent.push(request);
      return reply;
    },
  };
  return { sent, to: { client, resolveUrl: (url: string) => url } };
}
const makeResponse = (status: number): HttpResponse => ({
  kind: 'answered',
  status,
  headers: {},
  body: Buffer.from('{}'),
});
const request = { method: 'GET', url: 'https://vendor.example/days' } as const;

test.each([429, 500, 503])('a provider that answers %i is unavailable', async (status) => {
  await expect(sendToProvider(fakeProvider(makeResponse(status)).to, request)).rejects.toMatchObject({ status });
});

test.each([200, 304, 400, 401, 404])('the meaning of a %i response is left to the adapter', async (status) => {
  expect(await sendToProvider(fakeProvider(makeResponse(status)).to, request)).toEqual({
    status,
    headers: {},
    text: '{}',
  });
});

test('a truncated response is distinguished from no response', async () => {
  const broken = { kind: 'unanswered', reason: 'connection', message: '', body: new Uint8Array() } as const;
  const sendAndCatch = (status: number | undefined) =>
    sendToProvider(fakeProvider({ ...broken, status }).to, request).catch((error: unknown) => error);
  expect(await sendAndCatch(200)).toMatchObject({ status: 200 });
  expect(await sendAndCatch(undefined)).toMatchObject({ status: undefined });
  expect(await sendAndCatch(200)).toBeInstanceOf(ProviderUnavailable);
});
