import { describe, expect, test } from 'vitest';
import type { Outside } from '../../../infra/function-spec.ts';
import { grantedCalls, NotGranted } from '../../../infra/local/grants.ts';

const reply = { kind: 'answered', status: 204, headers: {}, body: new Uint8Array() } as const;
const receipt = { kind: 'answered', status: 204, body: '', retryAfter: undefined } as const;
const ways = {
  courier: { post: async () => receipt },
  egress: {
    guarded: { send: async () => reply },
    providers: { send: async () => reply },
    named: () => ({ send: async () => reply }),
    sandbox: { send: async () => reply },
  },
};
const granted = (...calls: Outside[]) => grantedCalls(ways, 'sync', { calls });
const letter = { url: 'https://hooks.example/', headers: {}, body: '' };
const request = { method: 'GET', url: 'https://api.vendor.example/' } as const;

describe('a function', () => {
  test('that calls nobody reaches nobody, and the message says which line it lacks', async () => {
    const { courier, egress } = grantedCalls(ways, 'sync', {});
    await expect(courier.post(letter)).rejects.toThrow('sync may not call webhooks');
    await expect(egress.providers.send(request)).rejects.toThrow('sync may not call providers');
    await expect(egress.guarded.send(request)).rejects.toThrow(NotGranted);
    await expect(egress.named([]).send(request)).rejects.toThrow(NotGranted);
    await expect(egress.sandbox.send(request)).rejects.toThrow(NotGranted);
  });

  test('reaches those it is granted, and not the others', async () => {
    expect(await granted('webhooks').courier.post(letter)).toEqual(receipt);
    await expect(granted('webhooks').egress.providers.send(request)).rejects.toThrow(NotGranted);
    expect(await granted('providers').egress.providers.send(request)).toEqual(reply);
    expect(await granted('providers').egress.guarded.send(request)).toEqual(reply);
    expect(await granted('providers').egress.named([]).send(request)).toEqual(reply);
    expect(await granted('providers').egress.sandbox.send(request)).toEqual(reply);
    await expect(granted('providers').courier.post(letter)).rejects.toThrow(NotGranted);
  });
});
