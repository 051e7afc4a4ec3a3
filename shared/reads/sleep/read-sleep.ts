// The sleep list by pages, and all sleep of a range with what was measured in it.

import type { MetricId } from '../../catalog/metrics.ts';
import { type CanonicalItem, dayRows } from '../../measurements/rows/day-rows.ts';
import { type SleepRow, sessionRows } from '../../measurements/rows/session-rows.ts';
import { efficiencyPct, markMainSleep, restorativeMinutes } from '../../measurements/sleep.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { Subject } from '../../users/subject.ts';
import { byDate, type DailyColumns, dailyColumns } from '../daily/daily-columns.ts';
import { valueDevices } from '../daily/daily-sources.ts';
import type { AskedRange, Range } from '../kit/range.ts';
import { rankedAndEnabled } from '../kit/reader.ts';
import {
  type FoundSession,
  findSessions,
  type SessionsAsked,
  type SessionsRead,
  wholeRange,
} from '../sessions/sessions.ts';

export interface FoundSleep extends Pick<FoundSession<SleepRow>, 'row' | 'date' | 'device'> {
  isMainSleep: boolean;
  /** Time asleep over time in bed; null without both. */
  efficiencyPct: number | null;
}

/** A session with what the day says of the night, if it is the day's main sleep. */
export interface FoundNight extends FoundSleep {
  restorativeMinutes: number | null;
  /** Those asked for that the day has; none beside the main sleep. */
  vitals: ReadonlyMap<MetricId, number>;
  /** Whom each of them came from, who need not have reported the session; none unless asked for. */
  vitalDevices: ReadonlyMap<MetricId, DeviceRow>;
}
export interface NightsAsked {
  range: AskedRange;
  /** Daily metrics of the night. */
  vitals: readonly MetricId[];
  withSources: boolean;
}
export interface NightsRead {
  range: Range;
  /** Earliest first: by the day they count toward, then by start. */
  nights: FoundNight[];
}

export async function readSleep(
  deps: Deps,
  caller: Caller,
  userId: string,
  asked: SessionsAsked,
): Promise<SessionsRead<FoundSleep>> {
  const { range, subject, found, next } = await findSessions<SleepRow>(
    deps,
    caller,
    userId,
    asked,
    sleepOf(deps, userId),
  );
  return { range, zone: subject.user.timezone, sessions: found.map(sleepReader()), next };
}

export async function readNights(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: asked, vitals, withSources }: NightsAsked,
): Promise<NightsRead> {
  const { range, subject, found, beside } = await wholeRange<SleepRow, ReadonlyMap<string, CanonicalItem>>(
    deps,
    caller,
    userId,
    asked,
    {
      ...sleepOf(deps, userId),
      beside: ({ from, to }) => byDate(dayRows(deps.store).canonicalBetween(userId, from, to)),
    },
  );
  const days = beside ?? new Map();
  const daily = dailyColumns(range, vitals, days);
  const vitalsOn = onEachDate(daily, (column, at) => {
    const value = daily.columns[column]?.[at] ?? Number.NaN;
    return Number.isNaN(value) ? undefined : value;
  });
  const devices = withSources ? valueDevices(subject, daily, days) : [];
  const devicesOn = onEachDate(daily, (column, at) => devices[column]?.[at]);
  const asSleep = sleepReader();
  const nights = found.map((session): FoundNight => {
    const sleep = asSleep(session);
    const { deepMinutes, remMinutes } = sleep.row;
    return {
      ...sleep,
      restorativeMinutes: restorativeMinutes(deepMinutes, remMinutes),
      vitals: (sleep.isMainSleep ? vitalsOn.get(sleep.date) : undefined) ?? new Map(),
      vitalDevices: (sleep.isMainSleep ? devicesOn.get(sleep.date) : undefined) ?? new Map(),
    };
  });
  return { range, nights: nights.reverse() };
}

const sleepOf = ({ store }: Deps, userId: string) => ({
  read: (from: string, to: string, daysAtOnce: number) =>
    sessionRows(store).sleep.newestFirst(userId, from, to, daysAtOnce),
  // Every metric of a night is set through one group, so any of them tells who counts.
  devices: (subject: Subject) => rankedAndEnabled(subject, 'asleep'),
});

/** Which sleep is the main one is found once a day. */
function sleepReader(): (found: FoundSession<SleepRow>) => FoundSleep {
  const mains = new Map<FoundSession<SleepRow>['dayOf'], string | undefined>();
  return ({ row, date, device, dayOf }) => {
    if (!mains.has(dayOf)) mains.set(dayOf, markMainSleep(dayOf).find(({ isMainSleep }) => isMainSleep)?.id);
    return {
      row,
      date,
      device,
      isMainSleep: mains.get(dayOf) === row.id,
      efficiencyPct: efficiencyPct(row.asleepMinutes, row.inBedMinutes),
    };
  };
}

/** What the columns, one a metric, hold on each date. */
const onEachDate = <Value>(
  { dates, metrics }: DailyColumns,
  held: (column: number, at: number) => Value | undefined,
): ReadonlyMap<string, ReadonlyMap<MetricId, Value>> =>
  new Map(
    dates.map((date, at) => [
      date,
      new Map(
        metrics.flatMap((metric, column): [MetricId, Value][] => {
          const value = held(column, at);
          return value === undefined ? [] : [[metric, value]];
        }),
      ),
    ]),
  );
