// Every provider, and the provider catalog that the API returns.
import { listCategories } from '../catalog/metrics.ts';
import { type CloudProviderId, type ProviderId, providerIds } from '../catalog/provider.ts';
import type { Provider } from '../catalog/provider-catalog.ts';
import { appleHealth } from './apple-health/descriptor.ts';
import { coros } from './coros/descriptor.ts';
import { garmin } from './garmin/descriptor.ts';
import { googleHealth } from './google-health/descriptor.ts';
import { healthConnect } from './health-connect/descriptor.ts';
import type { CloudDescriptor, SdkDescriptor } from './kit/descriptor.ts';
import { oura } from './oura/descriptor.ts';
import { polar } from './polar/descriptor.ts';
import { samsungHealth } from './samsung-health/descriptor.ts';
import { strava } from './strava/descriptor.ts';
import { suunto } from './suunto/descriptor.ts';
import { ultrahuman } from './ultrahuman/descriptor.ts';
import { whoop } from './whoop/descriptor.ts';
import { withings } from './withings/descriptor.ts';

type Descriptors = { [Id in ProviderId]: Id extends CloudProviderId ? CloudDescriptor : SdkDescriptor };

export const providerDescriptors: Readonly<Descriptors> = {
  oura,
  whoop,
  garmin,
  polar,
  suunto,
  strava,
  withings,
  google_health: googleHealth,
  ultrahuman,
  coros,
  apple_health: appleHealth,
  health_connect: healthConnect,
  samsung_health: samsungHealth,
};

/** `listMissing` names the credentials that this deployment lacks to connect the provider. */
export const renderProviderCatalog = (
  listMissing: (id: ProviderId) => readonly string[],
): Omit<Provider, 'poll_interval_seconds'>[] =>
  providerIds.map((id) => {
    const provider = providerDescriptors[id];
    const missing = [...listMissing(id)];
    return {
      id,
      name: provider.name,
      connection: provider.connection,
      device_type: provider.deviceType,
      available: missing.length === 0,
      missing,
      categories: listCategories(provider.metrics),
      metrics: [...provider.metrics],
      delivery: [...provider.delivery],
      history_days: provider.historyDays,
      scopes: [...provider.scopes],
    };
  });
