// WHOOP, all of it.
import type { CloudAdapter } from '../adapter.ts';
import { whoop } from './descriptor.ts';
import { whoopFetch } from './fetch.ts';
import { whoopGrant } from './grant.ts';
import { normalizeWhoop } from './normalize.ts';
import { whoopPush } from './push.ts';

export const whoopAdapter: CloudAdapter = {
  descriptor: whoop,
  grant: whoopGrant,
  fetch: whoopFetch,
  push: whoopPush,
  format: 1,
  normalize: normalizeWhoop,
};
