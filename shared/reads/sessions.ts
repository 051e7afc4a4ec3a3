// What the sleep and the workout list have in common: the range, the devices that count, and the page.
import { daysAside } from '../domain/consolidation/beside.ts';
import type { Deps } from '../domain/deps.ts';
import type { Session } from '../domain/measurements/sessions.ts';
import type { Subject } from '../domain/users/subject.ts';
import type { Caller } from '../model/account.ts';
import type { DeviceRow } from '../store/devices.ts';
import type { SessionDay } from '../store/sessions.ts';
import { type AskedRange, type Range, rangeIn, widestRange } from './range.ts';
import { ownSubjectAnd } from './reader.ts';
import { type Choice, daysFor, type PagedSession, type PagePlace, sessionPage } from './session-page.ts';

export interface SessionsAsked {
  range: AskedRange;
  limit: number;
  /** Where the page before ended. */
  place?: PagePlace | undefined;
}

/** One page of a list, newest first. */
export interface SessionsRead<Found> {
  range: Range;
  zone: string | null;
  sessions: Found[];
  /** Where the page ended; undefined when it is the last. */
  next: PagePlace | undefined;
}

export interface FoundSession<Row> extends PagedSession<Row> {
  device: DeviceRow;
}

type Reported = Session & { device: number };

/** Believes devices in the order of the list, and none that is not in it. */
export function choiceOf<Row extends Reported>(devices: readonly DeviceRow[]): Choice<Row> {
  const places = new Map(devices.map(({ ordinal }, place) => [ordinal, place]));
  return {
    counts: ({ device }) => places.has(device),
    better: (a, b) => (places.get(a.device) ?? 0) - (places.get(b.device) ?? 0),
  };
}

export async function findSessions<Row extends Reported>(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: asked, limit, place }: SessionsAsked,
  about: {
    read(from: string, to: string, daysAtOnce: number): AsyncGenerator<SessionDay<Row>>;
    devices(subject: Subject): DeviceRow[];
  },
) {
  const nowMs = deps.clock.now();
  const widest = daysFor(place ?? widestRange(asked, nowMs), place);
  const days = about.read(widest.from, widest.to, limit + spareDays);
  const [subject, first] = await ownSubjectAnd(deps, caller, userId, () => days.next());
  const { from, to } = place ?? rangeIn(subject.user.timezone, asked, nowMs);
  const devices = about.devices(subject);
  const page = await sessionPage(resumed(first, days), { from, to }, limit, choiceOf<Row>(devices), place);
  const byOrdinal = new Map(devices.map((device) => [device.ordinal, device]));
  const found = page.sessions.flatMap((each): FoundSession<Row>[] => {
    const device = byOrdinal.get(each.row.device);
    return device ? [{ ...each, device }] : [];
  });
  return { range: { from, to }, zone: subject.user.timezone, found, next: page.next };
}

/** The days beside the range, and one to know whether there is more. */
const spareDays = 2 * daysAside + 1;

async function* resumed<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
