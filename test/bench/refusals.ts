// Measures the cost of a rejected request by route and size: the CPU time of a host in its own
// process, one request at a time.

import { apiKey } from '../../functions/api/callers/api-key.ts';
import { phone } from '../../functions/api/callers/phone.ts';
import { contract } from '../../functions/api/reference/contract.ts';
import { type CloudProviderId, cloudProviderIds } from '../../shared/catalog/provider.ts';
import { acceptsJson, getBodyLimits } from '../../shared/http/body.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { providerDescriptors as catalog } from '../../shared/providers/catalog.ts';
import { createCredentials } from '../harness/sdk.ts';
import { type MeteredHost, startMeteredHost } from './metered-host.ts';

export interface Refusal {
  route: string;
  sender: 'a stranger' | 'a key' | 'a phone';
  bytes: number;
  status: number;
  cpuMs: number;
  responseBytes: number;
}

interface RefusalCase extends Pick<Refusal, 'route' | 'sender'> {
  method: string;
  path: string;
  headers: Record<string, string>;
  maxBytes: number;
}

const sizes = [1_000, 16_000, 64_000, 1_000_000, 4_000_000, 4_500_000];
/**
 * Enough for the resolution of the CPU clock, and few enough to stay within the rate limit of an
 * address.
 */
const repetitions = 6;

/** A body of small unknown fields, which is the most expensive kind to parse and validate. */
export function manyFields(bytes: number): Buffer<ArrayBuffer> {
  const fields: string[] = [];
  for (let length = 20; length < bytes; length += (fields.at(-1)?.length ?? 0) + 1)
    fields.push(`"${fields.length.toString(36)}":1`);
  return Buffer.from(`{${fields.join(',')}}`.padEnd(bytes));
}

export async function measureRefusals(): Promise<Refusal[]> {
  const host = await startMeteredHost();
  try {
    const { body: user } = await host.call('POST', '/v1/users', { token: host.key, body: { timezone: 'UTC' } });
    const { access_token } = await createCredentials(host, host.key, user.id);
    const refusals: Refusal[] = [];
    for (const each of contract.flatMap((endpoint) =>
      refusalCasesOf(endpoint, { key: host.key, phone: access_token, user: user.id }),
    ))
      for (const bytes of sizes.filter((size) => size <= each.maxBytes))
        refusals.push(await measureRefusal(host, each, bytes));
    return refusals;
  } finally {
    await host.stop();
  }
}

function refusalCasesOf(endpoint: Endpoint, known: { key: string; phone: string; user: string }): RefusalCase[] {
  const { route, callers, bodyLimits } = endpoint;
  const limits = getBodyLimits({ route, ...(bodyLimits ? { bodyLimits } : {}) });
  if (!limits) return [];
  const type =
    acceptsJson(route) || route.path.includes('push') ? 'application/json' : 'application/x-www-form-urlencoded';
  const senders: { sender: Refusal['sender']; token?: string }[] = [
    { sender: 'a stranger' },
    ...(callers.includes(apiKey) ? [{ sender: 'a key' as const, token: known.key }] : []),
    ...(callers.some(({ name }) => name === phone.name) ? [{ sender: 'a phone' as const, token: known.phone }] : []),
  ];
  const providers = route.path.includes('/push') ? pushProvidersAt(route.path) : (['oura'] as const);
  return providers.flatMap((provider) =>
    senders.map(({ sender, token }): RefusalCase => {
      const path = route.path
        .replace('{provider}', provider)
        .replace(/\{(user_)?id\}/, route.path.includes('/users/') ? known.user : 'x')
        .replaceAll(/\{[^}]*\}/g, 'x');
      const name = `${route.method.toUpperCase()} ${route.path.replace('{provider}', provider)}`;
      return {
        route: name,
        sender,
        method: route.method.toUpperCase(),
        path,
        headers: { 'content-type': type, ...wrongSignatures, ...(token ? { authorization: `Bearer ${token}` } : {}) },
        maxBytes: limits.wireBytes,
      };
    }),
  );
}

/** Providers that have their own push path are sent to it, all others to the generic one. */
const pushProvidersAt = (path: string): readonly CloudProviderId[] =>
  cloudProviderIds.filter((each) => {
    const { push } = catalog[each];
    return push && (push.hasSecretPath ?? false) === path.endsWith('{secret}');
  });

/** Signatures that are present but wrong, so that no request is rejected for a missing one. */
const wrongSignatures = {
  'x-oura-timestamp': '1773316800',
  'x-oura-signature': '00'.repeat(32),
  'x-whoop-signature-timestamp': '1773316800000',
  'x-whoop-signature': 'AAAA',
  'polar-webhook-signature': '00'.repeat(32),
  'x-hmac-sha256-signature': '00'.repeat(32),
  'garmin-client-id': 'guessed',
};

async function measureRefusal(
  host: MeteredHost,
  { route, sender, method, path, headers }: RefusalCase,
  bytes: number,
): Promise<Refusal> {
  const body = manyFields(bytes);
  const send = async () => {
    const response = await fetch(host.baseUrl + path, { method, headers, body, redirect: 'manual' });
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
  };
  const first = await send();
  if (first.status < 400) throw new Error(`${route} took ${bytes} bytes of nonsense: ${first.status}`);
  const before = (await host.readUsage()).cpuSeconds;
  for (let n = 0; n < repetitions; n++) await send();
  const cpuMs = (((await host.readUsage()).cpuSeconds - before) * 1000) / repetitions;
  return { route, sender, bytes, status: first.status, cpuMs, responseBytes: first.bytes };
}
