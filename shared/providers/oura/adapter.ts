// Oura, all of it.
import type { CloudAdapter } from '../adapter.ts';
import { oura } from './descriptor.ts';
import { ouraFetch } from './fetch.ts';
import { ouraGrant } from './grant.ts';
import { normalizeOura } from './normalize.ts';
import { ouraPush } from './push.ts';
import { ouraSubscriptions } from './subscriptions.ts';

export const ouraAdapter: CloudAdapter = {
  descriptor: oura,
  grant: ouraGrant,
  fetch: ouraFetch,
  push: ouraPush,
  subscriptions: ouraSubscriptions,
  format: 1,
  normalize: normalizeOura,
};
