// What Garmin sends: lists by kind, of many people at once. It signs nothing, so the path holds a secret and a header the client id.
import * as z from 'zod';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import { largestPushBytes, type PushNote, type PushRules } from '../kit/push.ts';
import { sameSecret } from '../kit/same-secret.ts';
import { jsonIn } from '../kit/vendor.ts';
import { garmin } from './descriptor.ts';
import { garminLists } from './items.ts';
import { callbackUrlIn, garminCallbackId } from './ping.ts';

const Body = z.record(z.string(), z.unknown());
const Owned = z.looseObject({ userId: z.string().min(1).max(128) });
const Allowed = Owned.extend({ permissions: z.array(z.unknown()).nullish() });

/** Each person's items of the lists that are read. */
function byAccount(body: Readonly<Record<string, unknown>>): Map<string, Record<string, unknown[]>> {
  const found = new Map<string, Record<string, unknown[]>>();
  for (const name of garminLists)
    for (const item of listIn(body, name)) {
      const account = Owned.safeParse(item).data?.userId;
      if (account === undefined || callbackUrlIn(item) !== undefined) continue;
      const own = found.get(account) ?? {};
      const list = own[name] ?? [];
      list.push(item);
      own[name] = list;
      found.set(account, own);
    }
  return found;
}

const listIn = (body: Readonly<Record<string, unknown>>, name: string): unknown[] => {
  const list = Object.hasOwn(body, name) ? body[name] : undefined;
  return Array.isArray(list) ? list : [];
};

/** What is to be fetched. An address that is not Garmin's is not noted. */
const pings = (body: Readonly<Record<string, unknown>>): PushNote[] =>
  garminLists.flatMap((resource) =>
    listIn(body, resource).flatMap((item): PushNote[] => {
      const account = Owned.safeParse(item).data?.userId;
      const id = garminCallbackId(callbackUrlIn(item) ?? '');
      return account === undefined || id === undefined ? [] : [{ account, what: 'object', resource, id }];
    }),
  );

/** Whoever has now allowed older data has it sent: before, asking for it was refused. */
function permissionNotes(body: Readonly<Record<string, unknown>>, receivedMs: number): PushNote[] {
  const to = utcDay(receivedMs);
  return listIn(body, 'userPermissionsChange').flatMap((item): PushNote[] => {
    const change = Allowed.safeParse(item).data;
    if (!change?.permissions?.includes('HISTORICAL_DATA_EXPORT')) return [];
    return [{ account: change.userId, what: 'days', from: addDays(to, 1 - garmin.historyDays), to }];
  });
}

const endings = (body: Readonly<Record<string, unknown>>): PushNote[] =>
  listIn(body, 'deregistrations').flatMap((item): PushNote[] => {
    const account = Owned.safeParse(item).data?.userId;
    return account === undefined ? [] : [{ account, what: 'ended' }];
  });

export const garminPush: PushRules = {
  maxBytes: largestPushBytes,
  isGenuine({ method, headers, pathSecret }, keys) {
    const isTheirPath = sameSecret(pathSecret, keys.pathSecret);
    const isOurClient = sameSecret(headers['garmin-client-id'], keys.credentials.clientId);
    return method === 'POST' && isTheirPath && isOurClient;
  },
  read({ body: bytes, receivedMs }) {
    const body = Body.safeParse(jsonIn({ text: Buffer.from(bytes).toString() })).data;
    if (!body) return undefined;
    const data = [...byAccount(body)].map(
      ([account, lists]): PushNote => ({
        account,
        what: 'data',
        page: { resource: 'push', text: JSON.stringify(lists) },
      }),
    );
    return { notes: [...data, ...pings(body), ...permissionNotes(body, receivedMs), ...endings(body)] };
  },
  accepted: { status: 200 },
};
