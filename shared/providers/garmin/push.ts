// Reads Garmin's pushes: lists by type, of many users at once. They are not signed, so the path
// contains a secret and a header contains the client id.
import * as z from 'zod';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import { maxPushBytes, type PushAdapter, type PushNotification } from '../kit/push.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { secretsEqual } from '../kit/secrets-equal.ts';
import { garmin } from './descriptor.ts';
import { garminLists } from './items.ts';
import { readCallbackUrl, toGarminCallbackId } from './ping.ts';

const Body = z.record(z.string(), z.unknown());
const AccountItem = z.looseObject({ userId: z.string().min(1).max(128) });
const PermissionChange = AccountItem.extend({ permissions: z.array(z.unknown()).nullish() });

/** Groups the items of the lists that are read by account. */
function groupByAccount(body: Readonly<Record<string, unknown>>): Map<string, Record<string, unknown[]>> {
  const itemsByAccount = new Map<string, Record<string, unknown[]>>();
  for (const name of garminLists)
    for (const item of getList(body, name)) {
      const account = AccountItem.safeParse(item).data?.userId;
      if (account === undefined || readCallbackUrl(item) !== undefined) continue;
      const own = itemsByAccount.get(account) ?? {};
      const list = own[name] ?? [];
      list.push(item);
      own[name] = list;
      itemsByAccount.set(account, own);
    }
  return itemsByAccount;
}

const getList = (body: Readonly<Record<string, unknown>>, name: string): unknown[] => {
  const list = Object.hasOwn(body, name) ? body[name] : undefined;
  return Array.isArray(list) ? list : [];
};

/** The callback URLs to fetch. A URL that is not Garmin's is ignored. */
const readPings = (body: Readonly<Record<string, unknown>>): PushNotification[] =>
  garminLists.flatMap((resource) =>
    getList(body, resource).flatMap((item): PushNotification[] => {
      const account = AccountItem.safeParse(item).data?.userId;
      const id = toGarminCallbackId(readCallbackUrl(item) ?? '');
      return account === undefined || id === undefined ? [] : [{ account, what: 'object', resource, id }];
    }),
  );

/**
 * When a user allows historical data, it is requested again, because earlier requests were refused.
 */
function readPermissionChanges(body: Readonly<Record<string, unknown>>, receivedMs: number): PushNotification[] {
  const to = utcDay(receivedMs);
  return getList(body, 'userPermissionsChange').flatMap((item): PushNotification[] => {
    const change = PermissionChange.safeParse(item).data;
    if (!change?.permissions?.includes('HISTORICAL_DATA_EXPORT')) return [];
    return [{ account: change.userId, what: 'days', from: addDays(to, 1 - garmin.historyDays), to }];
  });
}

const readDeregistrations = (body: Readonly<Record<string, unknown>>): PushNotification[] =>
  getList(body, 'deregistrations').flatMap((item): PushNotification[] => {
    const account = AccountItem.safeParse(item).data?.userId;
    return account === undefined ? [] : [{ account, what: 'ended' }];
  });

export const garminPush: PushAdapter = {
  maxBytes: maxPushBytes,
  isGenuine({ method, headers, pathSecret }, keys) {
    const isSecretPath = secretsEqual(pathSecret, keys.pathSecret);
    const isOurClient = secretsEqual(headers['garmin-client-id'], keys.credentials.clientId);
    return method === 'POST' && isSecretPath && isOurClient;
  },
  read({ body: bytes, receivedMs }) {
    const body = Body.safeParse(parseResponseJson({ text: Buffer.from(bytes).toString() })).data;
    if (!body) return undefined;
    const data = [...groupByAccount(body)].map(
      ([account, lists]): PushNotification => ({
        account,
        what: 'data',
        page: { resource: 'push', text: JSON.stringify(lists) },
      }),
    );
    return {
      notifications: [
        ...data,
        ...readPings(body),
        ...readPermissionChanges(body, receivedMs),
        ...readDeregistrations(body),
      ],
    };
  },
  acceptedResponse: { status: 200 },
};
