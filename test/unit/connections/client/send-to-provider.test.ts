import { expect, test } from 'vitest';
import { ProviderUnavailable, sendToProvider } from '../../../../shared/connections/client/send-to-provider.ts';
import type { HttpRequest, HttpResponse } from '../../../../shared/platform/ports.ts';

function vendor(reply: HttpResponse) {
  const sent: HttpRequest[] = [];
  const client = {
    async send(request: HttpRequest) {
      sent.push(request);
      return reply;
    },
  };
  return { sent, to: { client, resolveUrl: (url: string) => url } };
}
const answered = (status: number): HttpResponse => ({ kind: 'answered', status, headers: {}, body: Buffer.from('{}') });
const request = { method: 'GET', url: 'https://vendor.example/days' } as const;

test.each([429, 500, 503])('a provider that answers %i is unavailable', async (status) => {
  await expect(sendToProvider(vendor(answered(status)).to, request)).rejects.toMatchObject({ status });
});

test.each([200, 304, 400, 401, 404])('the meaning of a %i response is left to the adapter', async (status) => {
  expect(await sendToProvider(vendor(answered(status)).to, request)).toEqual({ status, headers: {}, text: '{}' });
});

test('a truncated response is distinguished from no response', async () => {
  const broken = { kind: 'unanswered', reason: 'connection', message: '', body: new Uint8Array() } as const;
  const away = (status: number | undefined) =>
    sendToProvider(vendor({ ...broken, status }).to, request).catch((error: unknown) => error);
  expect(await away(200)).toMatchObject({ status: 200 });
  expect(await away(undefined)).toMatchObject({ status: undefined });
  expect(await away(200)).toBeInstanceOf(ProviderUnavailable);
});
