// Strava's ids are 64-bit numbers, and a JavaScript number holds only 53 bits. Larger ids are
// therefore read as their original text.
import * as z from 'zod';

/** Undefined if the text is not JSON. */
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

/** An id as text, however it was parsed. It has digits only, so it can be part of a path. */
export const StravaId = z.union([
  z.string().regex(/^\d{1,20}$/),
  z
    .int()
    .nonnegative()
    .transform((id) => String(id)),
]);
