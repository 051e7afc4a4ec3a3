// What Withings announces: whose data of which days has news. It signs nothing, so the address it was given holds a secret.
import { addDays, dayMs, isCalendarDate, utcDay } from '../../model/local-day.ts';
import type { PushContent, PushNote, PushRules } from '../push.ts';
import { sameSecret } from '../same-secret.ts';
import { withings } from './descriptor.ts';

/** Local days may begin so long before and end so long after those of UTC. */
const asideMs = 14 * 3_600_000;
const ofTheAccount = '46';

function epochMs(text: string | null): number | undefined {
  const ms = text !== null && /^\d{1,11}$/.test(text) ? Number(text) * 1000 : undefined;
  return ms === undefined || ms === 0 ? undefined : ms;
}

/** No further back than a first sync reaches, and nothing that has not happened. */
function daysOf(form: URLSearchParams, receivedMs: number): { from: string; to: string } | undefined {
  const oldest = utcDay(receivedMs - withings.historyDays * dayMs);
  const latest = utcDay(receivedMs + dayMs);
  const date = form.get('date');
  const [startMs, endMs] = [epochMs(form.get('startdate')), epochMs(form.get('enddate'))];
  let days: { from: string; to: string };
  if (date !== null && isCalendarDate(date)) days = { from: date, to: date };
  else if (startMs !== undefined && endMs !== undefined)
    days = { from: utcDay(startMs - asideMs), to: utcDay(endMs + asideMs) };
  else days = { from: addDays(utcDay(receivedMs), -withings.sync.rereadDays), to: latest };
  const from = days.from < oldest ? oldest : days.from;
  const to = days.to > latest ? latest : days.to;
  return from <= to ? { from, to } : undefined;
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
