// Withings: scales, watches, sleep mats, cuffs and thermometers.
import type { CloudAdapter } from '../adapter.ts';
import { withings } from './descriptor.ts';
import { withingsFetch } from './fetch.ts';
import { withingsGrant } from './grant.ts';
import { normalizeWithings } from './normalize.ts';
import { withingsPush } from './push.ts';
import { withingsSubscriptions } from './subscriptions.ts';

export const withingsAdapter: CloudAdapter = {
  descriptor: withings,
  grant: withingsGrant,
  fetch: withingsFetch,
  push: withingsPush,
  subscriptions: withingsSubscriptions,
  format: 1,
  normalize: normalizeWithings,
};
