// What the sleep and the workout list have in common: the range, the devices that count, and the page.
import { daysAside } from '../../consolidation/beside.ts';
import type { SessionDay } from '../../measurements/rows/session-rows.ts';
import type { Session } from '../../measurements/sessions.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { Subject } from '../../users/subject.ts';
import { type AskedRange, type Range, rangeIn, widestRange } from '../kit/range.ts';
import { ownSubjectAnd } from '../kit/reader.ts';
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

/** Where sessions of a kind are read from, and whose count. */
interface SessionSource<Row, Beside> {
  read(from: string, to: string, daysAtOnce: number): AsyncGenerator<SessionDay<Row>>;
  devices(subject: Subject): DeviceRow[];
  /** What else is read of those days, at the same time. */
  beside?(range: Range): Promise<Beside>;
}

export async function findSessions<Row extends Reported, Beside = undefined>(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: asked, limit, place }: SessionsAsked,
  about: SessionSource<Row, Beside>,
) {
  const nowMs = deps.clock.now();
  const range = place ?? widestRange(asked, nowMs);
  const widest = daysFor(range, place);
  const days = about.read(widest.from, widest.to, limit + spareDays);
  const [subject, [first, beside]] = await ownSubjectAnd(deps, caller, userId, () =>
    Promise.all([days.next(), about.beside?.(range)]),
  );
  const { from, to } = place ?? rangeIn(subject.user.timezone, asked, nowMs);
  const devices = about.devices(subject);
  const page = await sessionPage(resumed(first, days), { from, to }, limit, choiceOf<Row>(devices), place);
  const byOrdinal = new Map(devices.map((device) => [device.ordinal, device]));
  const found = page.sessions.flatMap((each): FoundSession<Row>[] => {
    const device = byOrdinal.get(each.row.device);
    return device ? [{ ...each, device }] : [];
  });
  return { range: { from, to }, subject, found, next: page.next, beside };
}

/** Of those who are shown a whole range at once, or told how many it has: what an answer holds, and what can be chosen from in its time. */
const mostOfARange = 7_000;

/** Every session of a range, which must not have more than that; nothing is read further. */
export async function wholeRange<Row extends Reported, Beside = undefined>(
  deps: Deps,
  caller: Caller,
  userId: string,
  range: AskedRange,
  about: SessionSource<Row, Beside>,
) {
  const found = await findSessions(deps, caller, userId, { range, limit: mostOfARange }, about);
  if (found.next === undefined) return found;
  const message = `asks for more than ${mostOfARange} sessions, which is the most at once: name fewer days`;
  throw new Failure('invalid_request', `The range is invalid: ${range.names.to} ${message}.`, {
    details: { issues: [{ path: range.names.to, message }] },
  });
}

/** The days beside the range, and one to know whether there is more. */
const spareDays = 2 * daysAside + 1;

async function* resumed<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
