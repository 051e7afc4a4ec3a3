// Every vendor that the sandbox can play.
import type { CloudProviderId } from '../../model/provider.ts';
import { corosShapes } from './makers/coros.ts';
import { garminShapes } from './makers/garmin.ts';
import { googleHealthShapes } from './makers/google-health.ts';
import { ouraShapes } from './makers/oura.ts';
import { polarShapes } from './makers/polar.ts';
import { stravaShapes } from './makers/strava.ts';
import { suuntoShapes } from './makers/suunto.ts';
import { ultrahumanShapes } from './makers/ultrahuman.ts';
import { whoopShapes } from './makers/whoop.ts';
import { withingsShapes } from './makers/withings.ts';
import type { VendorShapes } from './shapes.ts';

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
