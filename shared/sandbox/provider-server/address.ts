// Where the sandbox's vendor stands in for a real one: under a deployment's own address, by provider and real host.
import { type CloudProviderId, cloudProviderIds } from '../../catalog/provider.ts';
import { providers } from '../../providers/catalog.ts';
import { calledUrls } from '../../providers/origins.ts';

const prefix = '/sandbox/';
const mapped = /^\/sandbox\/([a-z_]+)\/([a-z0-9.:-]+)(\/.*)?$/i;

export interface VendorAddress {
  provider: CloudProviderId;
  /** As at the real vendor. */
  host: string;
  path: string;
}

export function sandboxUrl(baseUrl: string, provider: CloudProviderId, url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${baseUrl}${prefix}${provider}/${host}${pathname}${search}`;
}

/** A provider's own host, or such a path. Undefined: nowhere that a vendor is. */
export function vendorAddress(url: URL): VendorAddress | undefined {
  const [, name, host, path = '/'] = mapped.exec(url.pathname) ?? [];
  if (host !== undefined) {
    const provider = cloudProviderIds.find((each) => each === name);
    return provider && { provider, host, path };
  }
  const provider = providerByHost().get(url.host);
  return provider && { provider, host: url.host, path: url.pathname };
}

let known: ReadonlyMap<string, CloudProviderId> | undefined;
function providerByHost(): ReadonlyMap<string, CloudProviderId> {
  known ??= new Map(
    cloudProviderIds.flatMap((id) =>
      [...calledUrls(providers[id]), providers[id].oauth.authorizeUrl].map((url) => [new URL(url).host, id] as const),
    ),
  );
  return known;
}
