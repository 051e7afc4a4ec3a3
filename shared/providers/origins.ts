// The origins that this service calls, taken from the provider descriptors.
import { providerDescriptors } from './catalog.ts';
import type { CloudDescriptor } from './kit/descriptor.ts';

/** Each origin appears once. The authorize URL is opened by browsers and is left out. */
export function providerOrigins(): string[] {
  const urls = Object.values(providerDescriptors).flatMap((each) =>
    each.connection === 'cloud' ? calledUrls(each) : [],
  );
  return [...new Set(urls.map((url) => new URL(url).origin))].sort();
}

/** The URLs of this provider that the service calls. */
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
