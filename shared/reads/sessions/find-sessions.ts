// Logic shared by the sleep and workout lists: the range, the devices that count, and paging.
import { adjacencyDays } from '../../consolidation/adjacent-days.ts';
import type { Session } from '../../measurements/deduplicate-sessions.ts';
import type { SessionDay } from '../../measurements/rows/session-rows.ts';
import { addDays } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { UserContext } from '../../users/user-context.ts';
import { type Range, type RequestedRange, resolveRange, resolveWidestRange, tooLarge } from '../kit/range.ts';
import { readWithAuthorizedUser } from '../kit/reader.ts';
import {
  buildSessionPage,
  getDaysToRead,
  type PagedSession,
  type PagePosition,
  type SessionSelection,
} from './session-page.ts';

export interface SessionsRequest {
  range: RequestedRange;
  limit: number;
  /** Where the previous page ended. */
  position?: PagePosition | undefined;
}

/** One page of a list, newest first. */
export interface SessionsResult<Found> {
  range: Range;
  zone: string | null;
  sessions: Found[];
  /** Where this page ended; undefined for the last page. */
  next: PagePosition | undefined;
}

export interface SessionWithDevice<Row> extends PagedSession<Row> {
  device: DeviceRow;
}

type ReportedSession = Session & { device: number };

/** Ranks devices in the order of the list and excludes devices that are not in it. */
export function createSelection<Row extends ReportedSession>(devices: readonly DeviceRow[]): SessionSelection<Row> {
  const ranks = new Map(devices.map(({ ordinal }, position) => [ordinal, position]));
  return {
    isEligible: ({ device }) => ranks.has(device),
    compare: (a, b) => (ranks.get(a.device) ?? 0) - (ranks.get(b.device) ?? 0),
  };
}

/** How sessions of a kind are read, and which devices count. */
interface SessionReader<Row, Related> {
  read(from: string, to: string, daysPerPage: number): AsyncGenerator<SessionDay<Row>>;
  devices(userContext: UserContext): DeviceRow[];
  /** Reads other data of those days in parallel. */
  readRelated?(range: Range): Promise<Related>;
}

export async function findSessions<Row extends ReportedSession, Related = undefined>(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: requested, limit, position }: SessionsRequest,
  reader: SessionReader<Row, Related>,
) {
  const nowMs = deps.clock.now();
  const range = position ?? resolveWidestRange(requested, nowMs);
  const widest = getDaysToRead(range, position);
  const days = reader.read(widest.from, widest.to, limit + extraDays);
  const [userContext, [first, related]] = await readWithAuthorizedUser(deps, caller, userId, () =>
    Promise.all([days.next(), reader.readRelated?.(range)]),
  );
  const { from, to } = position ?? resolveRange(userContext.user.timezone, requested, nowMs);
  const devices = reader.devices(userContext);
  const page = await buildSessionPage(
    prepend(first, days),
    { from, to },
    limit,
    createSelection<Row>(devices),
    position,
  );
  const byOrdinal = new Map(devices.map((device) => [device.ordinal, device]));
  const sessions = page.sessions.flatMap((each): SessionWithDevice<Row>[] => {
    const device = byOrdinal.get(each.row.device);
    return device ? [{ ...each, device }] : [];
  });
  return { range: { from, to }, userContext, sessions, next: page.next, related };
}

/**
 * The limit for reads that return or count a whole range: what fits in a response and can be
 * deduplicated in time.
 */
const maxSessionsPerRange = 7_000;

/**
 * Returns every session of a range. Throws if there are more than the limit, without reading
 * further.
 */
export async function findAllSessions<Row extends ReportedSession, Related = undefined>(
  deps: Deps,
  caller: Caller,
  userId: string,
  range: RequestedRange,
  reader: SessionReader<Row, Related>,
  maxSessions = maxSessionsPerRange,
) {
  const result = await findSessions(deps, caller, userId, { range, limit: maxSessions }, reader);
  if (result.next === undefined) return result;
  // Sessions are read newest first, so the day of the last one may have more that were not read.
  const from = addDays(result.next.last[0], 1);
  throw tooLarge(range.names.from, `has more than ${maxSessions} sessions`, { from, to: result.range.to });
}

/** The adjacent days of the range, and one more to detect whether there is a next page. */
const extraDays = 2 * adjacencyDays + 1;

async function* prepend<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
