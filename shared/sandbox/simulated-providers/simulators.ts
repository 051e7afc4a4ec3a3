// The simulators of all providers.
import type { CloudProviderId } from '../../catalog/provider.ts';
import { corosSimulator } from './coros.ts';
import { garminSimulator } from './garmin.ts';
import { googleHealthSimulator } from './google-health.ts';
import { ouraSimulator } from './oura.ts';
import { polarSimulator } from './polar.ts';
import type { ProviderSimulator } from './simulator.ts';
import { stravaSimulator } from './strava.ts';
import { suuntoSimulator } from './suunto.ts';
import { ultrahumanSimulator } from './ultrahuman.ts';
import { whoopSimulator } from './whoop.ts';
import { withingsSimulator } from './withings.ts';

const simulators: Readonly<Record<CloudProviderId, ProviderSimulator>> = {
  oura: ouraSimulator,
  whoop: whoopSimulator,
  garmin: garminSimulator,
  polar: polarSimulator,
  suunto: suuntoSimulator,
  strava: stravaSimulator,
  withings: withingsSimulator,
  google_health: googleHealthSimulator,
  ultrahuman: ultrahumanSimulator,
  coros: corosSimulator,
};

export const getSimulator = (provider: CloudProviderId): ProviderSimulator => simulators[provider];
