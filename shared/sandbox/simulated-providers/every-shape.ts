// Every vendor that the sandbox can play.
import type { CloudProviderId } from '../../catalog/provider.ts';
import { corosShapes } from './coros.ts';
import { garminShapes } from './garmin.ts';
import { googleHealthShapes } from './google-health.ts';
import { ouraShapes } from './oura.ts';
import { polarShapes } from './polar.ts';
import type { VendorShapes } from './shapes.ts';
import { stravaShapes } from './strava.ts';
import { suuntoShapes } from './suunto.ts';
import { ultrahumanShapes } from './ultrahuman.ts';
import { whoopShapes } from './whoop.ts';
import { withingsShapes } from './withings.ts';

const shapes: Readonly<Record<CloudProviderId, VendorShapes>> = {
  oura: ouraShapes,
  whoop: whoopShapes,
  garmin: garminShapes,
  polar: polarShapes,
  suunto: suuntoShapes,
  strava: stravaShapes,
  withings: withingsShapes,
  google_health: googleHealthShapes,
  ultrahuman: ultrahumanShapes,
  coros: corosShapes,
};

export const shapesOf = (provider: CloudProviderId): VendorShapes => shapes[provider];
