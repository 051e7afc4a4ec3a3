// Who reads what: every source's formats.

import { normalizeCoros } from './coros/normalize.ts';
import { normalizeGarmin } from './garmin/normalize.ts';
import { normalizeGoogleHealth } from './google-health/normalize.ts';
import type { Normalizer, SourceFormat } from './normalizer.ts';
import { normalizeOura } from './oura/normalize.ts';
import { normalizePolar } from './polar/normalize.ts';
import { sdkFormat } from './sdk/format.ts';
import { normalizeUpload } from './sdk/normalize.ts';
import { normalizeStrava } from './strava/normalize.ts';
import { normalizeSuunto } from './suunto/normalize.ts';
import { normalizeUltrahuman } from './ultrahuman/normalize.ts';
import { normalizeWhoop } from './whoop/normalize.ts';
import { normalizeWithings } from './withings/normalize.ts';

const normalizers: readonly (SourceFormat & { normalize: Normalizer })[] = [
  { ...sdkFormat, normalize: normalizeUpload },
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

/** The release that wrote it is newer than this one, or knows a source that this one does not. */
export class UnknownFormat extends Error {
  constructor({ source, format }: SourceFormat) {
    super(`This release cannot read format ${format} of source ${source}. Upgrade, then retry the upload.`);
  }
}

export function normalizerFor({ source, format }: SourceFormat): Normalizer {
  const found = normalizers.find((each) => each.source === source && each.format === format);
  if (!found) throw new UnknownFormat({ source, format });
  return found.normalize;
}
