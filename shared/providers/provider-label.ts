// The name under which people look for a provider: the brand of its devices, if it has one.
import { type CloudProviderId, cloudProviderIds, type ProviderId } from '../catalog/provider.ts';
import { providerDescriptors } from './catalog.ts';

export function getProviderLabel(id: ProviderId): string {
  const { name, deviceBrand } = providerDescriptors[id];
  return deviceBrand === undefined ? name : `${deviceBrand} (${name})`;
}

const collator = new Intl.Collator('en');

/** In the order in which people read a list of names. */
export const cloudProvidersByLabel: readonly CloudProviderId[] = [...cloudProviderIds].sort((a, b) =>
  collator.compare(getProviderLabel(a), getProviderLabel(b)),
);
