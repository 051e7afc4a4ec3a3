// How COROS answers: with 200 whatever happened, and a result that has nothing but zeros when it went well.
import * as z from 'zod';

/** Longer than a double can count: kept as digits. Inside a text the quotes would be escaped. */
const longIdPattern = /"(labelId|openId)"\s*:\s*(\d+)/g;

/** The JSON in it, with ids as texts; undefined where it is none. */
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
  /** Undefined where the answer has none. */
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

/** What the token that was shown is good for. */
export const corosResultCodes = {
  tokenRefused: '5006',
  unknownAccount: '5010',
  retryLater: '5016',
  refreshRefused: '5001',
} as const;
