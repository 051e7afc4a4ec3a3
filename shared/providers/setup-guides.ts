// The setup guides of all cloud providers. They are separate from the descriptors, because only the
// documentation shows them.
import type { CloudProviderId } from '../catalog/provider.ts';
import { corosSetup } from './coros/setup.ts';
import { garminSetup } from './garmin/setup.ts';
import { googleHealthSetup } from './google-health/setup.ts';
import type { SetupGuide } from './kit/setup-guide.ts';
import { ouraSetup } from './oura/setup.ts';
import { polarSetup } from './polar/setup.ts';
import { stravaSetup } from './strava/setup.ts';
import { suuntoSetup } from './suunto/setup.ts';
import { ultrahumanSetup } from './ultrahuman/setup.ts';
import { whoopSetup } from './whoop/setup.ts';
import { withingsSetup } from './withings/setup.ts';

const setupGuides: Readonly<Record<CloudProviderId, SetupGuide>> = {
  oura: ouraSetup,
  whoop: whoopSetup,
  garmin: garminSetup,
  polar: polarSetup,
  suunto: suuntoSetup,
  strava: stravaSetup,
  withings: withingsSetup,
  google_health: googleHealthSetup,
  ultrahuman: ultrahumanSetup,
  coros: corosSetup,
};

export const getSetupGuide = (provider: CloudProviderId): SetupGuide => setupGuides[provider];
