// Strava's ids are 64-bit numbers, of which a JavaScript number keeps only the first 53 bits: those are read as the text they were written in.
import * as z from 'zod';

/** Undefined where the text is no JSON. */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source
        ? context.source
        : value,
    );
  } catch {
    return undefined;
  }
}

/** As text, whichever way it was read; digits only, so that it may stand in a path. */
export const StravaId = z.union([
  z.string().regex(/^\d{1,20}$/),
  z
    .int()
    .nonnegative()
    .transform((id) => String(id)),
]);
