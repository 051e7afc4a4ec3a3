// What a request costs that is refused, by route and size: CPU of a host in a process of its own,
// one request after the other.

import { apiKey } from '../../functions/api/callers/api-key.ts';
import { phone } from '../../functions/api/callers/phone.ts';
import { contract } from '../../functions/api/reference/contract.ts';
import { type CloudProviderId, cloudProviderIds } from '../../shared/catalog/provider.ts';
import { bodyLimitsOf, takesJson } from '../../shared/http/body.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { providers as catalog } from '../../shared/providers/catalog.ts';
import { credentialsOf } from '../harness/sdk.ts';
import { type MeteredHost, startMeteredHost } from './metered-host.ts';

export interface Refusal {
  route: string;
  sender: 'a stranger' | 'a key' | 'a phone';
  bytes: number;
  status: number;
  cpuMs: number;
  answerBytes: number;
}

interface Try extends Pick<Refusal, 'route' | 'sender'> {
  method: string;
  path: string;
  headers: Record<string, string>;
  maxBytes: number;
}

const sizes = [1_000, 16_000, 64_000, 1_000_000, 4_000_000, 4_500_000];
/** Enough for the clock that counts CPU, and few enough for the bucket of an address. */
const times = 6;

/** Nothing but small unknown fields: what costs most to parse and to validate. */
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
    const { access_token } = await credentialsOf(host, host.key, user.id);
    const refusals: Refusal[] = [];
    for (const each of contract.flatMap((endpoint) =>
      triesOf(endpoint, { key: host.key, phone: access_token, user: user.id }),
    ))
      for (const bytes of sizes.filter((size) => size <= each.maxBytes))
        refusals.push(await refused(host, each, bytes));
    return refusals;
  } finally {
    await host.stop();
  }
}

function triesOf(endpoint: Endpoint, known: { key: string; phone: string; user: string }): Try[] {
  const { route, callers, bodyLimits } = endpoint;
  const limits = bodyLimitsOf({ route, ...(bodyLimits ? { bodyLimits } : {}) });
  if (!limits) return [];
  const type =
    takesJson(route) || route.path.includes('push') ? 'application/json' : 'application/x-www-form-urlencoded';
  const senders: { sender: Refusal['sender']; token?: string }[] = [
    { sender: 'a stranger' },
    ...(callers.includes(apiKey) ? [{ sender: 'a key' as const, token: known.key }] : []),
    ...(callers.includes(phone) ? [{ sender: 'a phone' as const, token: known.phone }] : []),
  ];
  const providers = route.path.includes('/push') ? pushersAt(route.path) : (['oura'] as const);
  return providers.flatMap((provider) =>
    senders.map(({ sender, token }): Try => {
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
        headers: { 'content-type': type, ...shownWrong, ...(token ? { authorization: `Bearer ${token}` } : {}) },
        maxBytes: limits.wireBytes,
      };
    }),
  );
}

/** Those that are known by their path are sent to it; the others to the plain one. */
const pushersAt = (path: string): readonly CloudProviderId[] =>
  cloudProviderIds.filter((each) => {
    const { push } = catalog[each];
    return push && (push.secretPath ?? false) === path.endsWith('{secret}');
  });

/** So that nothing is refused for want of a signature. */
const shownWrong = {
  'x-oura-timestamp': '1773316800',
  'x-oura-signature': '00'.repeat(32),
  'x-whoop-signature-timestamp': '1773316800000',
  'x-whoop-signature': 'AAAA',
  'polar-webhook-signature': '00'.repeat(32),
  'x-hmac-sha256-signature': '00'.repeat(32),
  'garmin-client-id': 'guessed',
};

async function refused(
  host: MeteredHost,
  { route, sender, method, path, headers }: Try,
  bytes: number,
): Promise<Refusal> {
  const body = manyFields(bytes);
  const send = async () => {
    const told = await fetch(host.baseUrl + path, { method, headers, body, redirect: 'manual' });
    return { status: told.status, bytes: (await told.arrayBuffer()).byteLength };
  };
  const first = await send();
  if (first.status < 400) throw new Error(`${route} took ${bytes} bytes of nonsense: ${first.status}`);
  const before = (await host.told()).cpuSeconds;
  for (let n = 0; n < times; n++) await send();
  const cpuMs = (((await host.told()).cpuSeconds - before) * 1000) / times;
  return { route, sender, bytes, status: first.status, cpuMs, answerBytes: first.bytes };
}
