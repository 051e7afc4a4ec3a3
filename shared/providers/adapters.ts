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

const adapters: Readonly<Partial<Record<CloudProviderId, CloudAdapter>>> = {
  coros: corosAdapter,
  ultrahuman: ultrahumanAdapter,
  suunto: suuntoAdapter,
  polar: polarAdapter,
  whoop: whoopAdapter,
  google_health: googleHealthAdapter,
  oura: ouraAdapter,
  garmin: garminAdapter,
  strava: stravaAdapter,
  withings: withingsAdapter,
};

export function adapterOf(provider: CloudProviderId): CloudAdapter {
  const adapter = adapters[provider];
  if (!adapter) throw new Error(`${provider} has no adapter`);
  return adapter;
}
