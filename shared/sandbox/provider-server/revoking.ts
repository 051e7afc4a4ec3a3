// How consent is taken back at the sandbox's vendor, in each vendor's own way.
import { createHmac } from 'node:crypto';
import { providers } from '../../providers/catalog.ts';
import type { RevocationFacts } from '../../providers/kit/descriptor.ts';
import type { ProviderCredentials, VendorReply } from '../../providers/kit/vendor.ts';
import { vendorJson } from '../simulated-providers/shapes.ts';
import { isAt, isSame, showsClient, tokenShown, type VendorCall } from './call.ts';
import type { VendorTokens } from './tokens.ts';

/** Undefined when the call is for something else. */
export async function revokingReply(
  call: VendorCall,
  tokens: VendorTokens,
  credentials: ProviderCredentials,
): Promise<VendorReply | undefined> {
  const { revocation } = providers[call.provider].oauth;
  if (revocation.by === 'none') return undefined;
  if (revocation.by === 'signed_action') return signedReply(revocation, call, tokens, credentials);
  if (call.method !== revocation.method || !isAt(call, revocation.url)) return undefined;
  if (revocation.by === 'form' && !showsClient(call, credentials)) return vendorJson({ error: 'invalid_client' }, 401);
  const shown = revocation.by === 'bearer' ? tokenShown(call) : (call.form['token'] ?? tokenShown(call));
  const token =
    (await tokens.open(call.provider, 'access', shown)) ?? (await tokens.open(call.provider, 'refresh', shown));
  if (token) await tokens.end(token);
  if (revocation.by === 'bearer') return token ? { status: 204, headers: {}, text: '' } : vendorJson({}, 401);
  // Standard and COROS's own: zeros say that it went well.
  return vendorJson({ result: '0000', message: 'OK' });
}

async function signedReply(
  { url, action, nonceUrl }: Extract<RevocationFacts, { by: 'signed_action' }>,
  call: VendorCall,
  tokens: VendorTokens,
  { clientId, clientSecret }: ProviderCredentials,
): Promise<VendorReply | undefined> {
  const { form } = call;
  const signed = (...parts: (string | undefined)[]): boolean =>
    isSame(form['signature'] ?? '', createHmac('sha256', clientSecret).update(parts.join(',')).digest('hex'));
  if (isAt(call, nonceUrl))
    return signed(form['action'], clientId, form['timestamp'])
      ? vendorJson({ status: 0, body: { nonce: tokens.nonce(call.provider) } })
      : refusedSignature;
  if (!isAt(call, url) || form['action'] !== action) return undefined;
  const isGood = signed(action, clientId, form['nonce']) && tokens.isNonce(call.provider, form['nonce']);
  if (!isGood || !form['userid']) return refusedSignature;
  await tokens.endAccount(call.provider, form['userid']);
  return vendorJson({ status: 0, body: {} });
}

const refusedSignature = vendorJson({ status: 247, body: {}, error: 'Invalid signature' });
