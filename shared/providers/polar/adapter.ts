import type { CloudAdapter } from '../adapter.ts';
import { polar } from './descriptor.ts';
import { polarFetch } from './fetch.ts';
import { polarGrant } from './grant.ts';
import { normalizePolar } from './normalize.ts';
import { polarPush } from './push.ts';
import { polarWebhook } from './webhook.ts';

export const polarAdapter: CloudAdapter = {
  descriptor: polar,
  grant: polarGrant,
  fetch: polarFetch,
  push: polarPush,
  subscriptions: { ofDeployment: polarWebhook },
  format: 1,
  normalize: normalizePolar,
};
