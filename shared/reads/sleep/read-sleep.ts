// Reads the sleep list page by page, and all sleep sessions of a range with their vitals.

import type { MetricId } from '../../catalog/metrics.ts';
import { type CanonicalItem, dayRows } from '../../measurements/rows/day-rows.ts';
import { type SleepRow, sessionRows } from '../../measurements/rows/session-rows.ts';
import { efficiencyPct, markMainSleep, restorativeMinutes } from '../../measurements/sleep.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { UserContext } from '../../users/user-context.ts';
import { collectByDate, type DailyColumns, decodeDailyColumns } from '../daily/daily-columns.ts';
import { findValueDevices } from '../daily/daily-sources.ts';
import type { Range, RequestedRange } from '../kit/range.ts';
import { rankEnabledDevices } from '../kit/reader.ts';
import {
  findAllSessions,
  findSessions,
  type SessionsRequest,
  type SessionsResult,
  type SessionWithDevice,
} from '../sessions/find-sessions.ts';

export interface SleepResult extends Pick<SessionWithDevice<SleepRow>, 'row' | 'date' | 'device'> {
  isMainSleep: boolean;
  /** Time asleep divided by time in bed; null unless both are known. */
  efficiencyPct: number | null;
}

/** A session with the day's vitals, if it is the main sleep of the day. */
export interface NightResult extends SleepResult {
  restorativeMinutes: number | null;
  /** The requested vitals that the day has; empty except for the main sleep. */
  vitals: ReadonlyMap<MetricId, number>;
  /**
   * The device of each vital, which need not be the one that reported the session; empty unless
   * requested.
   */
  vitalDevices: ReadonlyMap<MetricId, DeviceRow>;
}
export interface NightsRequest {
  range: RequestedRange;
  /** The daily metrics to include as vitals of the night. */
  vitals: readonly MetricId[];
  withSources: boolean;
}
export interface NightsResult {
  range: Range;
  /** Earliest first: by the day they count on, then by start. */
  nights: NightResult[];
}

export async function readSleep(
  deps: Deps,
  caller: Caller,
  userId: string,
  requested: SessionsRequest,
): Promise<SessionsResult<SleepResult>> {
  const { range, userContext, sessions, next } = await findSessions<SleepRow>(
    deps,
    caller,
    userId,
    requested,
    createSleepReader(deps, userId),
  );
  return { range, zone: userContext.user.timezone, sessions: sessions.map(createSleepMapper()), next };
}

/** As many nights, each with the devices of its vitals, fit in a response. */
const maxNightsWithSources = 3_000;

export async function readNights(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: requested, vitals, withSources }: NightsRequest,
): Promise<NightsResult> {
  const { range, userContext, sessions, related } = await findAllSessions<SleepRow, ReadonlyMap<string, CanonicalItem>>(
    deps,
    caller,
    userId,
    requested,
    {
      ...createSleepReader(deps, userId),
      readRelated: ({ from, to }) => collectByDate(dayRows(deps.store).iterateCanonical(userId, from, to)),
    },
    withSources ? maxNightsWithSources : undefined,
  );
  const days = related ?? new Map();
  const daily = decodeDailyColumns(range, vitals, days);
  const vitalsByDate = groupByDate(daily, (column, at) => {
    const value = daily.columns[column]?.[at] ?? Number.NaN;
    return Number.isNaN(value) ? undefined : value;
  });
  const devices = withSources ? findValueDevices(userContext, daily, days) : [];
  const devicesByDate = groupByDate(daily, (column, at) => devices[column]?.[at]);
  const toSleep = createSleepMapper();
  const nights = sessions.map((session): NightResult => {
    const sleep = toSleep(session);
    const { deepMinutes, remMinutes } = sleep.row;
    return {
      ...sleep,
      restorativeMinutes: restorativeMinutes(deepMinutes, remMinutes),
      vitals: (sleep.isMainSleep ? vitalsByDate.get(sleep.date) : undefined) ?? new Map(),
      vitalDevices: (sleep.isMainSleep ? devicesByDate.get(sleep.date) : undefined) ?? new Map(),
    };
  });
  return { range, nights: nights.reverse() };
}

// All sleep metrics are configured through one group, so any of them determines which devices count.
export const rankSleepDevices = (userContext: UserContext): DeviceRow[] => rankEnabledDevices(userContext, 'asleep');

const createSleepReader = ({ store }: Deps, userId: string) => ({
  read: (from: string, to: string, daysPerPage: number) =>
    sessionRows(store).sleep.iterateNewestFirst(userId, from, to, daysPerPage),
  devices: rankSleepDevices,
});

/** Determines the main sleep once per day. */
export function createSleepMapper(): (session: SessionWithDevice<SleepRow>) => SleepResult {
  const mainSleepIds = new Map<SessionWithDevice<SleepRow>['daySessions'], string | undefined>();
  return ({ row, date, device, daySessions }) => {
    if (!mainSleepIds.has(daySessions))
      mainSleepIds.set(daySessions, markMainSleep(daySessions).find(({ isMainSleep }) => isMainSleep)?.id);
    return {
      row,
      date,
      device,
      isMainSleep: mainSleepIds.get(daySessions) === row.id,
      efficiencyPct: efficiencyPct(row.asleepMinutes, row.inBedMinutes),
    };
  };
}

/** Groups the values of the columns, one per metric, by date. */
const groupByDate = <Value>(
  { dates, metrics }: DailyColumns,
  getValue: (column: number, at: number) => Value | undefined,
): ReadonlyMap<string, ReadonlyMap<MetricId, Value>> =>
  new Map(
    dates.map((date, at) => [
      date,
      new Map(
        metrics.flatMap((metric, column): [MetricId, Value][] => {
          const value = getValue(column, at);
          return value === undefined ? [] : [[metric, value]];
        }),
      ),
    ]),
  );
