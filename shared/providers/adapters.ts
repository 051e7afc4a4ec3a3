// Adapters of every cloud provider, grouped by purpose so that a function bundles only what it
// uses.
import type { CloudProviderId } from '../catalog/provider.ts';
import { providerDescriptors } from './catalog.ts';
import { corosFetch } from './coros/fetch.ts';
import { corosGrant } from './coros/grant.ts';
import { corosPush } from './coros/push.ts';
import { garminFetch } from './garmin/fetch.ts';
import { garminGrant } from './garmin/grant.ts';
import { garminPush } from './garmin/push.ts';
import { googleHealthFetch } from './google-health/fetch.ts';
import { googleHealthGrant } from './google-health/grant.ts';
import { googleHealthPush } from './google-health/push.ts';
import type { FetchAdapter, ProviderAdapter, SubscriptionAdapter } from './kit/adapter.ts';
import type { GrantAdapter } from './kit/grant.ts';
import type { PushAdapter } from './kit/push.ts';
import { ouraFetch } from './oura/fetch.ts';
import { ouraGrant } from './oura/grant.ts';
import { ouraPush } from './oura/push.ts';
import { ouraSubscriptions } from './oura/subscriptions.ts';
import { polarFetch } from './polar/fetch.ts';
import { polarGrant } from './polar/grant.ts';
import { polarPush } from './polar/push.ts';
import { ensurePolarWebhook } from './polar/webhook.ts';
import { stravaFetch } from './strava/fetch.ts';
import { stravaGrant } from './strava/grant.ts';
import { stravaPush } from './strava/push.ts';
import { ensureStravaSubscription } from './strava/subscription.ts';
import { suuntoFetch } from './suunto/fetch.ts';
import { suuntoGrant } from './suunto/grant.ts';
import { suuntoPush } from './suunto/push.ts';
import { ultrahumanFetch } from './ultrahuman/fetch.ts';
import { ultrahumanGrant } from './ultrahuman/grant.ts';
import { whoopFetch } from './whoop/fetch.ts';
import { whoopGrant } from './whoop/grant.ts';
import { whoopPush } from './whoop/push.ts';
import { withingsFetch } from './withings/fetch.ts';
import { withingsGrant } from './withings/grant.ts';
import { withingsPush } from './withings/push.ts';
import { withingsSubscriptions } from './withings/subscriptions.ts';

const grantAdapters: Readonly<Record<CloudProviderId, GrantAdapter>> = {
  oura: ouraGrant,
  whoop: whoopGrant,
  garmin: garminGrant,
  polar: polarGrant,
  suunto: suuntoGrant,
  strava: stravaGrant,
  withings: withingsGrant,
  google_health: googleHealthGrant,
  ultrahuman: ultrahumanGrant,
  coros: corosGrant,
};

const fetchAdapters: Readonly<Record<CloudProviderId, FetchAdapter>> = {
  oura: ouraFetch,
  whoop: whoopFetch,
  garmin: garminFetch,
  polar: polarFetch,
  suunto: suuntoFetch,
  strava: stravaFetch,
  withings: withingsFetch,
  google_health: googleHealthFetch,
  ultrahuman: ultrahumanFetch,
  coros: corosFetch,
};

/** Null if the provider does not push. */
const pushAdapters: Readonly<Record<CloudProviderId, PushAdapter | null>> = {
  oura: ouraPush,
  whoop: whoopPush,
  garmin: garminPush,
  polar: polarPush,
  suunto: suuntoPush,
  strava: stravaPush,
  withings: withingsPush,
  google_health: googleHealthPush,
  ultrahuman: null,
  coros: corosPush,
};

const subscriptionAdapters: Readonly<Record<CloudProviderId, SubscriptionAdapter | null>> = {
  oura: ouraSubscriptions,
  whoop: null,
  garmin: null,
  polar: { ensureForDeployment: ensurePolarWebhook },
  suunto: null,
  strava: { ensureForDeployment: ensureStravaSubscription },
  withings: withingsSubscriptions,
  google_health: null,
  ultrahuman: null,
  coros: null,
};

export const getGrantAdapter = (provider: CloudProviderId): GrantAdapter => grantAdapters[provider];
export const getPushAdapter = (provider: CloudProviderId): PushAdapter | null => pushAdapters[provider];

export const getProviderAdapter = (provider: CloudProviderId): ProviderAdapter => ({
  descriptor: providerDescriptors[provider],
  grant: grantAdapters[provider],
  fetch: fetchAdapters[provider],
  subscriptions: subscriptionAdapters[provider],
});
