// Reads Withings' pushes, which announce whose data of which days has changed. They are not signed,
// so their URL contains a secret.
import { isCalendarDate } from '../../platform/time/local-day.ts';
import { clampToHistory, datesWorldwide, rereadWindow, withAdjacentDays } from '../kit/day-windows.ts';
import type { DayWindow } from '../kit/provider-pages.ts';
import type { PushAdapter, PushContent, PushNotification } from '../kit/push.ts';
import { secretsEqual } from '../kit/secrets-equal.ts';
import { withings } from './descriptor.ts';

const accountCategory = '46';

function parseEpochMs(text: string | null): number | undefined {
  const ms = text !== null && /^\d{1,11}$/.test(text) ? Number(text) * 1000 : undefined;
  return ms === undefined || ms === 0 ? undefined : ms;
}

function readDays(form: URLSearchParams, receivedMs: number): DayWindow | undefined {
  const { historyDays, sync } = withings;
  const limits = { receivedMs, historyDays };
  const date = form.get('date');
  if (date !== null && isCalendarDate(date)) return clampToHistory(withAdjacentDays(date), limits);
  const [startMs, endMs] = [parseEpochMs(form.get('startdate')), parseEpochMs(form.get('enddate'))];
  if (startMs === undefined || endMs === undefined) return rereadWindow(receivedMs, sync.rereadDays);
  return clampToHistory(datesWorldwide(startMs, endMs), limits);
}

function toNotifications(form: URLSearchParams, receivedMs: number): PushNotification[] {
  const account = form.get('userid');
  if (account === null || !/^\w{1,32}$/.test(account)) return [];
  if (form.get('appli') === accountCategory)
    return ['delete', 'unlink'].includes(form.get('action') ?? '') ? [{ account, what: 'ended' }] : [];
  const days = readDays(form, receivedMs);
  return days ? [{ account, what: 'days', ...days }] : [];
}

export const withingsPush: PushAdapter = {
  /**
   * Withings sends this request before a subscription is created. Requests to any other path are
   * not confirmed.
   */
  answerHandshake: ({ method, pathSecret }, keys) =>
    (method === 'HEAD' || method === 'GET') && secretsEqual(pathSecret, keys.pathSecret) ? { status: 200 } : undefined,
  isGenuine: ({ pathSecret }, keys) => secretsEqual(pathSecret, keys.pathSecret),
  read({ body, receivedMs }): PushContent {
    return { notifications: toNotifications(new URLSearchParams(Buffer.from(body).toString()), receivedMs) };
  },
  acceptedResponse: { status: 200 },
};
