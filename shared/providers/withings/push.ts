// What Withings announces: whose data of which days has news. It signs nothing, so the address it was given holds a secret.
import { isCalendarDate } from '../../platform/time/local-day.ts';
import type { DayWindow } from '../kit/pages.ts';
import type { PushContent, PushNote, PushRules } from '../kit/push.ts';
import { daysAround, daysBeside, latestDays, withinReach } from '../kit/pushed-days.ts';
import { sameSecret } from '../kit/same-secret.ts';
import { withings } from './descriptor.ts';

const ofTheAccount = '46';

function epochMs(text: string | null): number | undefined {
  const ms = text !== null && /^\d{1,11}$/.test(text) ? Number(text) * 1000 : undefined;
  return ms === undefined || ms === 0 ? undefined : ms;
}

function daysOf(form: URLSearchParams, receivedMs: number): DayWindow | undefined {
  const { historyDays, sync } = withings;
  const reach = { receivedMs, historyDays };
  const date = form.get('date');
  if (date !== null && isCalendarDate(date)) return withinReach(daysBeside(date), reach);
  const [startMs, endMs] = [epochMs(form.get('startdate')), epochMs(form.get('enddate'))];
  if (startMs === undefined || endMs === undefined) return latestDays(receivedMs, sync.rereadDays);
  return withinReach(daysAround(startMs, endMs), reach);
}

function notesIn(form: URLSearchParams, receivedMs: number): PushNote[] {
  const account = form.get('userid');
  if (account === null || !/^\w{1,32}$/.test(account)) return [];
  if (form.get('appli') === ofTheAccount)
    return ['delete', 'unlink'].includes(form.get('action') ?? '') ? [{ account, what: 'ended' }] : [];
  const days = daysOf(form, receivedMs);
  return days ? [{ account, what: 'days', ...days }] : [];
}

export const withingsPush: PushRules = {
  /** Asked before a subscription is made; whoever asks at another address is not told that this is one. */
  handshake: ({ method, pathSecret }, keys) =>
    (method === 'HEAD' || method === 'GET') && sameSecret(pathSecret, keys.pathSecret) ? { status: 200 } : undefined,
  isGenuine: ({ pathSecret }, keys) => sameSecret(pathSecret, keys.pathSecret),
  read({ body, receivedMs }): PushContent {
    return { notes: notesIn(new URLSearchParams(Buffer.from(body).toString()), receivedMs) };
  },
  accepted: { status: 200 },
};
