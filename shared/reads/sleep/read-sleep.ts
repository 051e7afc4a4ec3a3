// The sleep list by pages, and all sleep of a range with what was measured in it.

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
  /** Time asleep over time in bed; null without both. */
  efficiencyPct: number | null;
}

/** A session with what the day says of the night, if it is the day's main sleep. */
export interface NightResult extends SleepResult {
  restorativeMinutes: number | null;
  /** Those asked for that the day has; none beside the main sleep. */
  vitals: ReadonlyMap<MetricId, number>;
  /** Whom each of them came from, who need not have reported the session; none unless asked for. */
  vitalDevices: ReadonlyMap<MetricId, DeviceRow>;
}
export interface NightsRequest {
  range: RequestedRange;
  /** Daily metrics of the night. */
  vitals: readonly MetricId[];
  withSources: boolean;
}
export interface NightsResult {
  range: Range;
  /** Earliest first: by the day they count toward, then by start. */
  nights: NightResult[];
}

export async function readSleep(
  deps: Deps,
  caller: Caller,
  userId: string,
  requested: SessionsRequest,
): Promise<SessionsResult<SleepResult>> {
  const {
    range,
    subject: userContext,
    found,
    next,
  } = await findSessions<SleepRow>(deps, caller, userId, requested, createSleepReader(deps, userId));
  return { range, zone: userContext.user.timezone, sessions: found.map(createSleepMapper()), next };
}

export async function readNights(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: requested, vitals, withSources }: NightsRequest,
): Promise<NightsResult> {
  const {
    range,
    subject: userContext,
    found,
    beside: related,
  } = await findAllSessions<SleepRow, ReadonlyMap<string, CanonicalItem>>(deps, caller, userId, requested, {
    ...createSleepReader(deps, userId),
    readRelated: ({ from, to }) => collectByDate(dayRows(deps.store).iterateCanonical(userId, from, to)),
  });
  const days = related ?? new Map();
  const daily = decodeDailyColumns(range, vitals, days);
  const vitalsByDate = groupByDate(daily, (column, at) => {
    const value = daily.columns[column]?.[at] ?? Number.NaN;
    return Number.isNaN(value) ? undefined : value;
  });
  const devices = withSources ? findValueDevices(userContext, daily, days) : [];
  const devicesByDate = groupByDate(daily, (column, at) => devices[column]?.[at]);
  const toSleep = createSleepMapper();
  const nights = found.map((session): NightResult => {
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

const createSleepReader = ({ store }: Deps, userId: string) => ({
  read: (from: string, to: string, daysPerPage: number) =>
    sessionRows(store).sleep.iterateNewestFirst(userId, from, to, daysPerPage),
  // Every metric of a night is set through one group, so any of them tells who counts.
  devices: (userContext: UserContext) => rankEnabledDevices(userContext, 'asleep'),
});

/** Which sleep is the main one is found once a day. */
function createSleepMapper(): (found: SessionWithDevice<SleepRow>) => SleepResult {
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

/** What the columns, one a metric, hold on each date. */
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
