// The hourly counts of a range, with the current hour so far.
import { accountRows } from '../accounts/account-rows.ts';
import { roundTo } from '../platform/arithmetic.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { countHour, type PreviousReading, readingAtCreation, readingOfRow } from './count-hour.ts';
import { type HourlyCountRow, hourlyCountRows, hourMs, startOfHour } from './hourly-count-rows.ts';
import { approximateSeries, type Overview, type OverviewRange, rangeHours } from './overview.ts';
import { type ReadState, takeReadings } from './readings.ts';

type Series = Overview['series'];
type Hour = Pick<HourlyCountRow, 'startMs' | 'counts' | 'periodMs' | 'perSecond'> & { people: number };

/** The rows of the range, oldest first. */
export const readHours = (
  { store, clock }: Deps,
  { account, env }: Caller,
  range: OverviewRange,
): Promise<HourlyCountRow[]> => hourlyCountRows(store).listSince(account, env, firstHour(clock.now(), range));

const firstHour = (nowMs: number, range: OverviewRange): number =>
  startOfHour(nowMs) - (rangeHours[range] - 1) * hourMs;

export async function readSeries(
  deps: Deps,
  caller: Caller,
  range: OverviewRange,
  rows: readonly HourlyCountRow[],
  state: ReadState,
): Promise<Series> {
  const nowMs = deps.clock.now();
  const hours = [...rows.map(toHour), ...(await countSinceLastRow(deps, caller, rows.at(-1), state, nowMs))];
  const byStart = new Map(hours.map((hour) => [hour.startMs, hour]));
  const fromMs = firstHour(nowMs, range);
  const all = Array.from({ length: rangeHours[range] }, (_none, at) => byStart.get(fromMs + at * hourMs));
  const listCounts = (name: keyof NonNullable<Hour['counts']>): (number | null)[] =>
    all.map((hour) => hour?.counts?.[name] ?? null);
  return {
    from: formatTimestamp(fromMs),
    people: all.map((hour) => hour?.people ?? null),
    requests: listCounts('requests'),
    client_errors: listCounts('clientErrors'),
    server_errors: listCounts('serverErrors'),
    limited: listCounts('limited'),
    rate_limit_use: all.map((hour) => (hour?.counts ? computeUse(hour, hour.counts.requests) : null)),
    uploads: listCounts('uploads'),
    records: listCounts('records'),
    events: listCounts('events'),
    deliveries: listCounts('deliveries'),
    failed_attempts: listCounts('failedAttempts'),
    approximate: [...approximateSeries],
  };
}

const toHour = ({ startMs, counts, periodMs, perSecond, readings }: HourlyCountRow): Hour => ({
  startMs,
  counts,
  periodMs,
  perSecond,
  people: readings.people,
});

const useDecimals = 6;
const computeUse = ({ perSecond, periodMs }: Hour, requests: number): number =>
  roundTo(useDecimals, requests / ((perSecond * periodMs) / 1000));

/** The current hour, or the one before it until the sweep has stored that one. */
async function countSinceLastRow(
  deps: Deps,
  { account }: Caller,
  last: HourlyCountRow | undefined,
  state: ReadState,
  nowMs: number,
): Promise<Hour[]> {
  const before = last ? readingOfRow(last) : await findCreation(deps, account);
  const current: Hour = { startMs: startOfHour(nowMs), people: state.people, counts: null, periodMs: 0, perSecond: 0 };
  if (!before || before.nextStartMs < current.startMs - hourMs) return [current];
  const readings = await takeReadings(deps, state, before.readings);
  const counted = countHour(before.nextStartMs, before, readings, nowMs);
  const { people, perSecond } = state;
  if (!counted) return [current];
  return [current, { startMs: before.nextStartMs, people, perSecond, ...counted }];
}

async function findCreation({ store }: Deps, account: string): Promise<PreviousReading | undefined> {
  const row = await accountRows(store).findById(account);
  return row && readingAtCreation(row.createdMs);
}
