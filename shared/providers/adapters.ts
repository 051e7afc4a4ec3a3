// Every cloud vendor that can be connected.
import type { CloudProviderId } from '../model/provider.ts';
import type { CloudAdapter } from './adapter.ts';
import { corosAdapter } from './coros/adapter.ts';
import { garminAdapter } from './garmin/adapter.ts';
import { googleHealthAdapter } from './google-health/adapter.ts';
import { ouraAdapter } from './oura/adapter.ts';
import { polarAdapter } from './polar/adapter.ts';
import { stravaAdapter } from './strava/adapter.ts';
import { suuntoAdapter } from './suunto/adapter.ts';
import { ultrahumanAdapter } from './ultrahuman/adapter.ts';
import { whoopAdapter } from './whoop/adapter.ts';
import { withingsAdapter } from './withings/adapter.ts';

const adapters: Readonly<Record<CloudProviderId, CloudAdapter>> = {
  oura: ouraAdapter,
  whoop: whoopAdapter,
  garmin: garminAdapter,
  polar: polarAdapter,
  suunto: suuntoAdapter,
  strava: stravaAdapter,
  withings: withingsAdapter,
  google_health: googleHealthAdapter,
  ultrahuman: ultrahumanAdapter,
  coros: corosAdapter,
};

export const adapterOf = (provider: CloudProviderId): CloudAdapter => adapters[provider];
