// Renders all sleep sessions of a range with the vitals of each night.

import { unpackStages } from '../../measurements/codec/sleep-stages.ts';
import type { Presenter } from '../../platform/presenter.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import { presentUtcOffset } from '../../platform/time/utc-offset.ts';
import { presentValue } from '../kit/present-value.ts';
import type { UnitSystem } from '../kit/read-parameters.ts';
import { parseStartEnd, type StartEndQuery } from '../kit/requested-range.ts';
import { presentDevice, type SessionSource } from '../kit/source.ts';
import { roundOrNull } from '../sessions/session-fields.ts';
import { type FlatSleep, type FlatSleepList, nightVitals } from './form-1-schema.ts';
import type { NightResult, NightsRequest, NightsResult } from './read-sleep.ts';
import { assertFewStages } from './stage-limit.ts';

export interface FlatSleepQuery extends StartEndQuery {
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
  include_stages?: boolean | undefined;
}

export const form1Sleep: Presenter<FlatSleepQuery, NightsRequest, NightsResult, FlatSleepList> = {
  parse: (query) => ({ range: parseStartEnd(query), vitals: nightVitals, withSources: query.include_sources }),
  render({ nights }, query) {
    if (query.include_stages) assertFewStages(nights, 'end_date');
    return { data: nights.map((night) => presentNight(night, query)) };
  },
};

type Vital = (typeof nightVitals)[number];

function presentNight(
  { row, date, device, isMainSleep, efficiencyPct, restorativeMinutes, vitals, vitalDevices }: NightResult,
  { unit_system = 'metric', include_sources, include_stages }: FlatSleepQuery,
): FlatSleep {
  const vital = (metric: Vital): number | null => {
    const value = vitals.get(metric);
    return value === undefined ? null : presentValue(metric, value, unit_system);
  };
  return {
    id: row.id,
    date,
    is_main_sleep: isMainSleep,
    start: formatTimestamp(row.startMs),
    end: formatTimestamp(row.endMs),
    utc_offset: presentUtcOffset(row),
    asleep: roundOrNull(0, row.asleepMinutes),
    time_awake: roundOrNull(0, row.awakeMinutes),
    light_sleep: roundOrNull(0, row.lightMinutes),
    deep_sleep: roundOrNull(0, row.deepMinutes),
    REM: roundOrNull(0, row.remMinutes),
    restorative_sleep: roundOrNull(0, restorativeMinutes),
    time_in_bed: roundOrNull(0, row.inBedMinutes),
    sleep_efficiency: roundOrNull(1, efficiencyPct),
    sleep_heart_rate: vital('sleep_heart_rate'),
    sleep_heart_rate_variability: vital('sleep_heart_rate_variability'),
    sleep_respiratory_rate: vital('sleep_respiratory_rate'),
    sleep_blood_oxygen: vital('sleep_blood_oxygen'),
    sleep_body_temperature: vital('sleep_body_temperature'),
    sleep_skin_temperature: vital('sleep_skin_temperature'),
    sleep_wrist_temperature: vital('sleep_wrist_temperature'),
    ...(include_stages ? { stages: presentFlatStages(row) } : {}),
    ...(include_sources ? { source: presentDevice(device), vital_sources: presentVitalSources(vitalDevices) } : {}),
  };
}

const presentFlatStages = ({ startMs, stages }: NightResult['row']): FlatSleep['stages'] =>
  stages === undefined
    ? null
    : unpackStages(startMs, stages).map((period) => ({
        stage: period.stage,
        start: formatTimestamp(period.startMs),
        end: formatTimestamp(period.endMs),
      }));

const presentVitalSources = (devices: NightResult['vitalDevices']): FlatSleep['vital_sources'] =>
  Object.fromEntries(
    nightVitals.flatMap((metric): [Vital, SessionSource][] => {
      const device = devices.get(metric);
      return device ? [[metric, presentDevice(device)]] : [];
    }),
  );
