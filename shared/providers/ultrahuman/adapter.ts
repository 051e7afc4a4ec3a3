// Ultrahuman, all of it. It pushes nothing.
import type { CloudAdapter } from '../adapter.ts';
import { ultrahuman } from './descriptor.ts';
import { ultrahumanFetch } from './fetch.ts';
import { ultrahumanGrant } from './grant.ts';
import { normalizeUltrahuman } from './normalize.ts';

export const ultrahumanAdapter: CloudAdapter = {
  descriptor: ultrahuman,
  grant: ultrahumanGrant,
  fetch: ultrahumanFetch,
  format: 1,
  normalize: normalizeUltrahuman,
};
