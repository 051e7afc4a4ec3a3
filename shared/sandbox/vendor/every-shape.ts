// Every vendor that the sandbox can play.
import type { CloudProviderId } from '../../model/provider.ts';
import { corosShapes } from '../vendors/coros.ts';
import { garminShapes } from '../vendors/garmin.ts';
import { googleHealthShapes } from '../vendors/google-health.ts';
import { ouraShapes } from '../vendors/oura.ts';
import { polarShapes } from '../vendors/polar.ts';
import { stravaShapes } from '../vendors/strava.ts';
import { suuntoShapes } from '../vendors/suunto.ts';
import { ultrahumanShapes } from '../vendors/ultrahuman.ts';
import { whoopShapes } from '../vendors/whoop.ts';
import { withingsShapes } from '../vendors/withings.ts';
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
