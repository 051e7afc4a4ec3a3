// Reads COROS' pushes: workouts and days of many users at once. They are not signed; they carry our
// own client id and secret.
import * as z from 'zod';
import type { ProviderPage } from '../kit/provider-pages.ts';
import {
  maxPushBytes,
  type PushAdapter,
  type PushNotification,
  type PushRequest,
  type PushResponse,
} from '../kit/push.ts';
import { secretsEqual } from '../kit/secrets-equal.ts';
import { parseCorosJson } from './response.ts';

/** Any other response makes COROS resend the push or stop sending. */
const successResponse: PushResponse = { status: 200, json: { message: 'ok', result: '0000' } };

const Lists = z.looseObject({
  sportDataList: z.array(z.unknown()).nullish(),
  batchDailyList: z.array(z.unknown()).nullish(),
});
const AccountItem = z.looseObject({ openId: z.string().min(1).max(256) });
const AccountDays = AccountItem.extend({ dailyList: z.array(z.unknown()) });

/**
 * Matches either name with its value anywhere in the body. The days of many users may precede it,
 * and they are not parsed to find it.
 */
const credentialPattern = /"(client|secret)"\s*:\s*("(?:[^"\\]|\\.){1,512}")/g;
/** Limits the search in a body that consists of nothing but secrets. */
const maxCredentials = 16;

function findCredentials({ headers, body }: PushRequest, name: 'client' | 'secret'): string[] {
  const inHeader = headers[name];
  if (inHeader !== undefined) return [inHeader];
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!bytes.includes(`"${name}"`)) return [];
  const credentials: string[] = [];
  for (const [, field, text = ''] of bytes.toString('latin1').matchAll(credentialPattern)) {
    if (field === name) credentials.push(parseText(text));
    if (credentials.length === maxCredentials) break;
  }
  return credentials;
}

const Text = z.string().catch('');
const parseText = (json: string): string => Text.parse(parseCorosJson(json));

const parseBody = ({ body }: PushRequest): unknown => parseCorosJson(Buffer.from(body).toString());

function appendItems(to: Map<string, unknown[]>, account: string, items: readonly unknown[]): void {
  const own = to.get(account) ?? [];
  for (const item of items) own.push(item);
  to.set(account, own);
}

const toNotifications = (
  itemsByAccount: ReadonlyMap<string, unknown[]>,
  toPage: (items: unknown[]) => ProviderPage,
): PushNotification[] =>
  [...itemsByAccount].map(([account, items]) => ({ account, what: 'data', page: toPage(items) }));

export const corosPush: PushAdapter = {
  maxBytes: maxPushBytes,
  /** COROS checks that the service is up without authenticating itself. */
  answerProbe: ({ method }) => (method === 'POST' ? undefined : successResponse),
  isGenuine(request, { credentials }) {
    if (request.method !== 'POST') return false;
    const hasCredential = (name: 'client' | 'secret', expected: string) =>
      findCredentials(request, name).some((presented) => secretsEqual(presented, expected));
    return hasCredential('secret', credentials.clientSecret) && hasCredential('client', credentials.clientId);
  },
  read(request) {
    const lists = Lists.safeParse(parseBody(request)).data;
    if (!lists) return undefined;
    const workouts = new Map<string, unknown[]>();
    for (const item of lists.sportDataList ?? []) {
      const accountItem = AccountItem.safeParse(item).data;
      if (accountItem) appendItems(workouts, accountItem.openId, [item]);
    }
    const days = new Map<string, unknown[]>();
    for (const item of lists.batchDailyList ?? []) {
      const accountItem = AccountDays.safeParse(item).data;
      if (accountItem) appendItems(days, accountItem.openId, accountItem.dailyList);
    }
    return {
      notifications: [
        ...toNotifications(workouts, (data) => ({ resource: 'sport', text: JSON.stringify({ data }) })),
        ...toNotifications(days, (dailyList) => ({ resource: 'daily', text: JSON.stringify({ data: { dailyList } }) })),
      ],
    };
  },
  acceptedResponse: successResponse,
};
