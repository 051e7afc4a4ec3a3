// Revokes consent at the simulated provider, in each provider's own way.
import { createHmac } from 'node:crypto';
import { providerDescriptors } from '../../providers/catalog.ts';
import type { RevocationConfig } from '../../providers/kit/descriptor.ts';
import type { ProviderCredentials, ProviderResponse } from '../../providers/kit/request-flow.ts';
import { jsonProviderResponse } from '../simulated-providers/simulator.ts';
import { constantTimeEqual, hasClientCredentials, matchesUrl, type ProviderCall, readToken } from './provider-call.ts';
import type { ProviderTokens } from './tokens.ts';

/** Undefined if the call is not a revocation. */
export async function respondToRevocation(
  call: ProviderCall,
  tokens: ProviderTokens,
  credentials: ProviderCredentials,
): Promise<ProviderResponse | undefined> {
  const { revocation } = providerDescriptors[call.provider].oauth;
  if (revocation.by === 'none') return undefined;
  if (revocation.by === 'signed_action') return respondToSignedRevocation(revocation, call, tokens, credentials);
  if (call.method !== revocation.method || !matchesUrl(call, revocation.url)) return undefined;
  if (revocation.by === 'form' && !hasClientCredentials(call, credentials))
    return jsonProviderResponse({ error: 'invalid_client' }, 401);
  const presentedToken = revocation.by === 'bearer' ? readToken(call) : (call.form['token'] ?? readToken(call));
  const token =
    (await tokens.open(call.provider, 'access', presentedToken)) ??
    (await tokens.open(call.provider, 'refresh', presentedToken));
  if (token) await tokens.end(token);
  if (revocation.by === 'bearer') return token ? { status: 204, headers: {}, text: '' } : jsonProviderResponse({}, 401);
  // The standard response, and COROS' own: zeros mean success.
  return jsonProviderResponse({ result: '0000', message: 'OK' });
}

async function respondToSignedRevocation(
  { url, action, nonceUrl }: Extract<RevocationConfig, { by: 'signed_action' }>,
  call: ProviderCall,
  tokens: ProviderTokens,
  { clientId, clientSecret }: ProviderCredentials,
): Promise<ProviderResponse | undefined> {
  const { form } = call;
  const hasSignature = (...parts: (string | undefined)[]): boolean =>
    constantTimeEqual(
      form['signature'] ?? '',
      createHmac('sha256', clientSecret).update(parts.join(',')).digest('hex'),
    );
  if (matchesUrl(call, nonceUrl))
    return hasSignature(form['action'], clientId, form['timestamp'])
      ? jsonProviderResponse({ status: 0, body: { nonce: tokens.nonce(call.provider) } })
      : invalidSignatureResponse;
  if (!matchesUrl(call, url) || form['action'] !== action) return undefined;
  const isValid = hasSignature(action, clientId, form['nonce']) && tokens.isNonce(call.provider, form['nonce']);
  if (!isValid || !form['userid']) return invalidSignatureResponse;
  await tokens.endAccount(call.provider, form['userid']);
  return jsonProviderResponse({ status: 0, body: {} });
}

const invalidSignatureResponse = jsonProviderResponse({ status: 247, body: {}, error: 'Invalid signature' });
