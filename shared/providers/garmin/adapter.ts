// Garmin as one vendor among others.
import type { CloudAdapter } from '../adapter.ts';
import { garmin } from './descriptor.ts';
import { garminFetch } from './fetch.ts';
import { garminGrant } from './grant.ts';
import { normalizeGarmin } from './normalize.ts';
import { garminPush } from './push.ts';

export const garminAdapter: CloudAdapter = {
  descriptor: garmin,
  grant: garminGrant,
  fetch: garminFetch,
  push: garminPush,
  format: 1,
  normalize: normalizeGarmin,
};
