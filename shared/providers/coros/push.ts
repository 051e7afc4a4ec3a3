// What COROS sends: workouts and days of many people at once. It signs nothing and shows our own id and secret.
import * as z from 'zod';
import type { VendorPage } from '../kit/pages.ts';
import { largestPushBytes, type PushAnswer, type PushNote, type PushRequest, type PushRules } from '../kit/push.ts';
import { sameSecret } from '../kit/same-secret.ts';
import { corosJson } from './reply.ts';

/** Anything else and they send it again, or stop sending. */
const fine: PushAnswer = { status: 200, json: { message: 'ok', result: '0000' } };

const Lists = z.looseObject({
  sportDataList: z.array(z.unknown()).nullish(),
  batchDailyList: z.array(z.unknown()).nullish(),
});
const Owned = z.looseObject({ openId: z.string().min(1).max(256) });
const Days = Owned.extend({ dailyList: z.array(z.unknown()) });

/**
 * Either name with its text, wherever in the body: the days of many people may stand before it, and
 * are not parsed to find it.
 */
const shownInBody = /"(client|secret)"\s*:\s*("(?:[^"\\]|\\.){1,512}")/g;
/** A body of nothing but secrets is not searched to its end. */
const maxShown = 16;

function shownIn({ headers, body }: PushRequest, name: 'client' | 'secret'): string[] {
  const inHeader = headers[name];
  if (inHeader !== undefined) return [inHeader];
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!bytes.includes(`"${name}"`)) return [];
  const found: string[] = [];
  for (const [, field, text = ''] of bytes.toString('latin1').matchAll(shownInBody)) {
    if (field === name) found.push(textIn(text));
    if (found.length === maxShown) break;
  }
  return found;
}

const Text = z.string().catch('');
const textIn = (json: string): string => Text.parse(corosJson(json));

const jsonOf = ({ body }: PushRequest): unknown => corosJson(Buffer.from(body).toString());

function add(to: Map<string, unknown[]>, account: string, items: readonly unknown[]): void {
  const own = to.get(account) ?? [];
  for (const item of items) own.push(item);
  to.set(account, own);
}

const notes = (found: ReadonlyMap<string, unknown[]>, pageOf: (items: unknown[]) => VendorPage): PushNote[] =>
  [...found].map(([account, items]) => ({ account, what: 'data', page: pageOf(items) }));

export const corosPush: PushRules = {
  maxBytes: largestPushBytes,
  /** Whether the service is there; they ask without saying who they are. */
  greeting: ({ method }) => (method === 'POST' ? undefined : fine),
  isGenuine(request, { credentials }) {
    if (request.method !== 'POST') return false;
    const shows = (name: 'client' | 'secret', known: string) =>
      shownIn(request, name).some((shown) => sameSecret(shown, known));
    return shows('secret', credentials.clientSecret) && shows('client', credentials.clientId);
  },
  read(request) {
    const lists = Lists.safeParse(jsonOf(request)).data;
    if (!lists) return undefined;
    const workouts = new Map<string, unknown[]>();
    for (const item of lists.sportDataList ?? []) {
      const owned = Owned.safeParse(item).data;
      if (owned) add(workouts, owned.openId, [item]);
    }
    const days = new Map<string, unknown[]>();
    for (const item of lists.batchDailyList ?? []) {
      const owned = Days.safeParse(item).data;
      if (owned) add(days, owned.openId, owned.dailyList);
    }
    return {
      notes: [
        ...notes(workouts, (data) => ({ resource: 'sport', text: JSON.stringify({ data }) })),
        ...notes(days, (dailyList) => ({ resource: 'daily', text: JSON.stringify({ data: { dailyList } }) })),
      ],
    };
  },
  accepted: fine,
};
