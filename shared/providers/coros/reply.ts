// How COROS answers: with 200 whatever happened, and a result that has nothing but zeros when it went well.
import * as z from 'zod';

/** Longer than a double can count: kept as digits. Inside a text the quotes would be escaped. */
const longIds = /"(labelId|openId)"\s*:\s*(\d+)/g;

/** The JSON in it, with ids as texts; undefined where it is none. */
export function corosJson(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(longIds, '"$1":"$2"'));
  } catch {
    return undefined;
  }
}

const Replied = z.looseObject({ result: z.union([z.string(), z.number()]).nullish(), data: z.unknown().optional() });

export interface CorosReply {
  /** Undefined where the answer has none. */
  result: string | undefined;
  isFine: boolean;
  data: unknown;
}

export function corosReply(text: string): CorosReply | undefined {
  const reply = Replied.safeParse(corosJson(text)).data;
  if (!reply) return undefined;
  const result = reply.result === null || reply.result === undefined ? undefined : String(reply.result);
  return { result, isFine: result !== undefined && /^0+$/.test(result), data: reply.data };
}

/** What the token that was shown is good for. */
export const corosResults = {
  tokenRefused: '5006',
  unknownAccount: '5010',
  later: '5016',
  refreshRefused: '5001',
} as const;
