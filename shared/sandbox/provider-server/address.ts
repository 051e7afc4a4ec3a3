// Where the sandbox's vendor stands in for a real one: under a deployment's own address, by provider and real host.
import { type CloudProviderId, cloudProviderIds } from '../../catalog/provider.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import { calledUrls } from '../../providers/origins.ts';

const prefix = '/sandbox/';
const mappedPathPattern = /^\/sandbox\/([a-z_]+)\/([a-z0-9.:-]+)(\/.*)?$/i;

export interface ProviderAddress {
  provider: CloudProviderId;
  /** As at the real vendor. */
  host: string;
  path: string;
}

export function toSandboxUrl(baseUrl: string, provider: CloudProviderId, url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${baseUrl}${prefix}${provider}/${host}${pathname}${search}`;
}

/** A provider's own host, or such a path. Undefined: nowhere that a vendor is. */
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
