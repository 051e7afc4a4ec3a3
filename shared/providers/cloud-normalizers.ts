// Normalizers of the cloud providers. They are bundled as a separate file, so a function that only
// handles phone uploads never compiles them.
import { normalizeCoros } from './coros/normalize.ts';
import { normalizeGarmin } from './garmin/normalize.ts';
import { normalizeGoogleHealth } from './google-health/normalize.ts';
import type { Normalizer, SourceFormat } from './kit/normalizer.ts';
import { normalizeOura } from './oura/normalize.ts';
import { normalizePolar } from './polar/normalize.ts';
import { normalizeStrava } from './strava/normalize.ts';
import { normalizeSuunto } from './suunto/normalize.ts';
import { normalizeUltrahuman } from './ultrahuman/normalize.ts';
import { normalizeWhoop } from './whoop/normalize.ts';
import { normalizeWithings } from './withings/normalize.ts';

export const cloudNormalizers: readonly (SourceFormat & { normalize: Normalizer })[] = [
  { source: 'oura', format: 1, normalize: normalizeOura },
  { source: 'whoop', format: 1, normalize: normalizeWhoop },
  { source: 'garmin', format: 1, normalize: normalizeGarmin },
  { source: 'polar', format: 1, normalize: normalizePolar },
  { source: 'suunto', format: 1, normalize: normalizeSuunto },
  { source: 'strava', format: 1, normalize: normalizeStrava },
  { source: 'withings', format: 1, normalize: normalizeWithings },
  { source: 'google_health', format: 1, normalize: normalizeGoogleHealth },
  { source: 'ultrahuman', format: 1, normalize: normalizeUltrahuman },
  { source: 'coros', format: 1, normalize: normalizeCoros },
];
