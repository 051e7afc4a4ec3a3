// Suunto as one vendor among others.
import type { CloudAdapter } from '../adapter.ts';
import { suunto } from './descriptor.ts';
import { suuntoFetch } from './fetch.ts';
import { suuntoGrant } from './grant.ts';
import { normalizeSuunto } from './normalize.ts';
import { suuntoPush } from './push.ts';

export const suuntoAdapter: CloudAdapter = {
  descriptor: suunto,
  grant: suuntoGrant,
  fetch: suuntoFetch,
  push: suuntoPush,
  format: 1,
  normalize: normalizeSuunto,
};
