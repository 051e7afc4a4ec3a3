import { describe, expect, test } from 'vitest';
import type { OutboundTarget } from '../../../infra/function-spec.ts';
import { NotGranted, withCallGrants } from '../../../infra/local/grants.ts';

const providerReply = { kind: 'answered', status: 204, headers: {}, body: new Uint8Array() } as const;
const webhookResponse = { kind: 'answered', status: 204, body: '', retryAfter: undefined } as const;
const egressPorts = {
  webhookClient: { post: async () => webhookResponse },
  egress: {
    guarded: { send: async () => providerReply },
    providers: { send: async () => providerReply },
    forOrigins: () => ({ send: async () => providerReply }),
    sandbox: { send: async () => providerReply },
  },
};
const grant = (...calls: OutboundTarget[]) => withCallGrants(egressPorts, 'sync', { calls });
const webhookRequest = { url: 'https://hooks.example/', headers: {}, body: '' };
const request = { method: 'GET', url: 'https://api.vendor.example/' } as const;

describe('a function', () => {
  test('without a call grant reaches no one, and the error names the missing setting', async () => {
    const { webhookClient, egress } = withCallGrants(egressPorts, 'sync', {});
    await expect(webhookClient.post(webhookRequest)).rejects.toThrow('sync may not call webhooks');
    await expect(egress.providers.send(request)).rejects.toThrow('sync may not call providers');
    await expect(egress.guarded.send(request)).rejects.toThrow(NotGranted);
    await expect(egress.forOrigins([]).send(request)).rejects.toThrow(NotGranted);
    await expect(egress.sandbox.send(request)).rejects.toThrow(NotGranted);
  });

  test('reaches only the targets it is granted', async () => {
    expect(await grant('webhooks').webhookClient.post(webhookRequest)).toEqual(webhookResponse);
    await expect(grant('webhooks').egress.providers.send(request)).rejects.toThrow(NotGranted);
    expect(await grant('providers').egress.providers.send(request)).toEqual(providerReply);
    expect(await grant('providers').egress.guarded.send(request)).toEqual(providerReply);
    expect(await grant('providers').egress.forOrigins([]).send(request)).toEqual(providerReply);
    expect(await grant('providers').egress.sandbox.send(request)).toEqual(providerReply);
    await expect(grant('providers').webhookClient.post(webhookRequest)).rejects.toThrow(NotGranted);
  });
});
