// What COROS sends: workouts and days of many people at once. It signs nothing and shows our own id and secret.
import * as z from 'zod';
import type { VendorPage } from '../pages.ts';
import type { PushAnswer, PushNote, PushRequest, PushRules } from '../push.ts';
import { sameSecret } from '../same-secret.ts';
import { corosJson } from './reply.ts';

/** Anything else and they send it again, or stop sending. */
const fine: PushAnswer = { status: 200, json: { message: 'ok', result: '0000' } };

const Shown = z.looseObject({ client: z.string().nullish(), secret: z.string().nullish() });
const Lists = z.looseObject({
  sportDataList: z.array(z.unknown()).nullish(),
  batchDailyList: z.array(z.unknown()).nullish(),
});
const Owned = z.looseObject({ openId: z.string().min(1).max(256) });
const Days = Owned.extend({ dailyList: z.array(z.unknown()) });

const jsonOf = ({ body }: PushRequest): unknown => corosJson(Buffer.from(body).toString());

function add(to: Map<string, unknown[]>, account: string, items: readonly unknown[]): void {
  const own = to.get(account) ?? [];
  for (const item of items) own.push(item);
  to.set(account, own);
}

const notes = (found: ReadonlyMap<string, unknown[]>, pageOf: (items: unknown[]) => VendorPage): PushNote[] =>
  [...found].map(([account, items]) => ({ account, what: 'data', page: pageOf(items) }));

export const corosPush: PushRules = {
  /** Whether the service is there; they ask without saying who they are. */
  handshake: ({ method }) => (method === 'POST' ? undefined : fine),
  isGenuine(request, { credentials }) {
    const inBody = Shown.safeParse(jsonOf(request)).data;
    const client = request.headers['client'] ?? inBody?.client ?? undefined;
    const secret = request.headers['secret'] ?? inBody?.secret ?? undefined;
    const isOurClient = sameSecret(client, credentials.clientId);
    const isOurSecret = sameSecret(secret, credentials.clientSecret);
    return request.method === 'POST' && isOurClient && isOurSecret;
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
