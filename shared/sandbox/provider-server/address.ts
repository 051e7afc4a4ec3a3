// The URLs at which the simulated provider replaces a real one: below the deployment's own URL, by
// provider and real host.
import { type CloudProviderId, cloudProviderIds } from '../../catalog/provider.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import { calledUrls } from '../../providers/origins.ts';

const prefix = '/sandbox/';
const mappedPathPattern = /^\/sandbox\/([a-z_]+)\/([a-z0-9.:-]+)(\/.*)?$/i;

export interface ProviderAddress {
  provider: CloudProviderId;
  /** The host of the real provider. */
  host: string;
  path: string;
}

export function toSandboxUrl(baseUrl: string, provider: CloudProviderId, url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${baseUrl}${prefix}${provider}/${host}${pathname}${search}`;
}

/**
 * Accepts a provider's own host, or a path below the deployment. Undefined if no provider is there.
 */
export function parseProviderAddress(url: URL): ProviderAddress | undefined {
  const [, name, host, path = '/'] = mappedPathPattern.exec(url.pathname) ?? [];
  if (host !== undefined) {
    const provider = cloudProviderIds.find((each) => each === name);
    return provider && { provider, host, path };
  }
  const provider = providerByHost().get(url.host);
  return provider && { provider, host: url.host, path: url.pathname };
}

let hostIndex: ReadonlyMap<string, CloudProviderId> | undefined;
function providerByHost(): ReadonlyMap<string, CloudProviderId> {
  hostIndex ??= new Map(
    cloudProviderIds.flatMap((id) =>
      [...calledUrls(providerDescriptors[id]), providerDescriptors[id].oauth.authorizeUrl].map(
        (url) => [new URL(url).host, id] as const,
      ),
    ),
  );
  return hostIndex;
}
