// All sleep of a range, with the vitals of each night.

import type { Face } from '../../platform/presenter.ts';
import { timestamp } from '../../platform/time/time.ts';
import { type StartEndQuery, startEnd } from '../kit/asked-range.ts';
import { presentDevice } from '../kit/present-device.ts';
import { presentValue } from '../kit/present-value.ts';
import type { UnitSystem } from '../kit/read-parameters.ts';
import type { SessionSource } from '../kit/source.ts';
import { roundedOrNull } from '../sessions/session-fields.ts';
import { type FlatSleep, type FlatSleepList, nightVitals } from './form-1-schema.ts';
import type { FoundNight, NightsAsked, NightsRead } from './read-sleep.ts';

export interface FlatSleepQuery extends StartEndQuery {
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
}

export const form1Sleep: Face<FlatSleepQuery, NightsAsked, NightsRead, FlatSleepList> = {
  asked: (query) => ({ range: startEnd(query), vitals: nightVitals, withSources: query.include_sources }),
  present: ({ nights }, query) => ({ data: nights.map((night) => presentNight(night, query)) }),
};

type Vital = (typeof nightVitals)[number];

function presentNight(
  { row, date, device, isMainSleep, efficiencyPct, restorativeMinutes, vitals, vitalDevices }: FoundNight,
  { unit_system = 'metric', include_sources }: FlatSleepQuery,
): FlatSleep {
  const vital = (metric: Vital): number | null => {
    const value = vitals.get(metric);
    return value === undefined ? null : presentValue(metric, value, unit_system);
  };
  return {
    id: row.id,
    date,
    is_main_sleep: isMainSleep,
    start: timestamp(row.startMs),
    end: timestamp(row.endMs),
    asleep: roundedOrNull(0, row.asleepMinutes),
    time_awake: roundedOrNull(0, row.awakeMinutes),
    light_sleep: roundedOrNull(0, row.lightMinutes),
    deep_sleep: roundedOrNull(0, row.deepMinutes),
    REM: roundedOrNull(0, row.remMinutes),
    restorative_sleep: roundedOrNull(0, restorativeMinutes),
    time_in_bed: roundedOrNull(0, row.inBedMinutes),
    sleep_efficiency: roundedOrNull(1, efficiencyPct),
    sleep_heart_rate: vital('sleep_heart_rate'),
    sleep_heart_rate_variability: vital('sleep_heart_rate_variability'),
    sleep_respiratory_rate: vital('sleep_respiratory_rate'),
    sleep_blood_oxygen: vital('sleep_blood_oxygen'),
    sleep_body_temperature: vital('sleep_body_temperature'),
    sleep_skin_temperature: vital('sleep_skin_temperature'),
    sleep_wrist_temperature: vital('sleep_wrist_temperature'),
    ...(include_sources ? { source: presentDevice(device), vital_sources: presentVitalSources(vitalDevices) } : {}),
  };
}

const presentVitalSources = (devices: FoundNight['vitalDevices']): FlatSleep['vital_sources'] =>
  Object.fromEntries(
    nightVitals.flatMap((metric): [Vital, SessionSource][] => {
      const device = devices.get(metric);
      return device ? [[metric, presentDevice(device)]] : [];
    }),
  );
