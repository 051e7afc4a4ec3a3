// The hosts that providers are spoken to at, as their descriptors name them.
import { providerDescriptors } from './catalog.ts';
import type { CloudDescriptor } from './kit/descriptor.ts';

/** Every one once. The authorize URL is for browsers, and left out. */
export function providerOrigins(): string[] {
  const urls = Object.values(providerDescriptors).flatMap((each) =>
    each.connection === 'cloud' ? calledUrls(each) : [],
  );
  return [...new Set(urls.map((url) => new URL(url).origin))].sort();
}

/** Where this one is spoken to by us. */
export function calledUrls({ apiUrl, oauth }: CloudDescriptor): string[] {
  const { tokenUrl, refreshUrl, account, registration, revocation } = oauth;
  return [
    apiUrl,
    tokenUrl,
    ...(refreshUrl ? [refreshUrl] : []),
    ...(account.from === 'request' ? [account.url] : []),
    ...(registration ? [registration.url] : []),
    ...(revocation.by === 'none' ? [] : [revocation.url]),
    ...(revocation.by === 'signed_action' ? [revocation.nonceUrl] : []),
  ];
}
