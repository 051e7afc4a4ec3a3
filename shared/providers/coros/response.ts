// COROS' response format: the HTTP status is always 200, and a result of only zeros means success.
import * as z from 'zod';

/**
 * These ids exceed the precision of a double, so they are read as text. Inside a JSON string the
 * quotes would be escaped, so the pattern cannot match there.
 */
const longIdPattern = /"(labelId|openId)"\s*:\s*(\d+)/g;

/** Parses JSON with ids as text; undefined if the text is not JSON. */
export function parseCorosJson(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(longIdPattern, '"$1":"$2"'));
  } catch {
    return undefined;
  }
}

const ResponseBody = z.looseObject({
  result: z.union([z.string(), z.number()]).nullish(),
  data: z.unknown().optional(),
});

export interface CorosResponse {
  /** Undefined if the response has none. */
  result: string | undefined;
  isSuccess: boolean;
  data: unknown;
}

export function parseCorosResponse(text: string): CorosResponse | undefined {
  const response = ResponseBody.safeParse(parseCorosJson(text)).data;
  if (!response) return undefined;
  const result = response.result === null || response.result === undefined ? undefined : String(response.result);
  return { result, isSuccess: result !== undefined && /^0+$/.test(result), data: response.data };
}

/** Result codes that say whether the token in the request is usable. */
export const corosResultCodes = {
  tokenRefused: '5006',
  unknownAccount: '5010',
  retryLater: '5016',
  refreshRefused: '5001',
} as const;
