// COROS as one vendor among others.
import type { CloudAdapter } from '../adapter.ts';
import { coros } from './descriptor.ts';
import { corosFetch } from './fetch.ts';
import { corosGrant } from './grant.ts';
import { normalizeCoros } from './normalize.ts';
import { corosPush } from './push.ts';

export const corosAdapter: CloudAdapter = {
  descriptor: coros,
  grant: corosGrant,
  fetch: corosFetch,
  push: corosPush,
  format: 1,
  normalize: normalizeCoros,
};
