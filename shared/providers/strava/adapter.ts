import type { CloudAdapter } from '../adapter.ts';
import { strava } from './descriptor.ts';
import { stravaFetch } from './fetch.ts';
import { stravaGrant } from './grant.ts';
import { normalizeStrava } from './normalize.ts';
import { stravaPush } from './push.ts';
import { stravaSubscription } from './subscription.ts';

export const stravaAdapter: CloudAdapter = {
  descriptor: strava,
  grant: stravaGrant,
  fetch: stravaFetch,
  push: stravaPush,
  subscriptions: { ofDeployment: stravaSubscription },
  format: 1,
  normalize: normalizeStrava,
};
