// Google Health: Fitbit and Pixel watches, and whatever else a person's Google account gathers.
import type { CloudAdapter } from '../adapter.ts';
import { googleHealth } from './descriptor.ts';
import { googleHealthFetch } from './fetch.ts';
import { googleHealthGrant } from './grant.ts';
import { normalizeGoogleHealth } from './normalize.ts';
import { googleHealthPush } from './push.ts';

export const googleHealthAdapter: CloudAdapter = {
  descriptor: googleHealth,
  grant: googleHealthGrant,
  fetch: googleHealthFetch,
  push: googleHealthPush,
  format: 1,
  normalize: normalizeGoogleHealth,
};
