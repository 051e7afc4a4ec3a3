// The workout list by numbered pages, with the time in each heart-rate zone.
import type { HeartRateZone } from '../../domain/measurements/heart-rate-zones.ts';
import { roundTo } from '../../model/arithmetic.ts';
import type { FlatWorkout, WorkoutOffsetPage, ZoneMinutes } from '../../model/form-1/workout.ts';
import type { OffsetQuery } from '../../model/offset-page.ts';
import type { UnitSystem } from '../../model/read-parameters.ts';
import { timestamp } from '../../model/time.ts';
import { convertAs } from '../../model/units.ts';
import type { WorkoutsAtAsked, WorkoutsAtRead } from '../../reads/workouts.ts';
import { askedPage, presentMeta } from '../asked-page.ts';
import { type StartEndQuery, startEnd } from '../asked-range.ts';
import type { Face } from '../face.ts';
import { presentDevice } from '../present-device.ts';
import { presentValue } from '../present-value.ts';
import { presentZoneMinutes, roundedOrNull, shown, wholeMinutes } from '../session-fields.ts';

export interface FlatWorkoutsQuery extends StartEndQuery, OffsetQuery {
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
}

export const form1Workouts: Face<FlatWorkoutsQuery, WorkoutsAtAsked, WorkoutsAtRead, WorkoutOffsetPage> = {
  asked: (query) => ({ range: startEnd(query), ...askedPage(query) }),
  present: ({ workouts, total }, query) => ({
    data: workouts.map((found) => presentFlatWorkout(found, query)),
    meta: presentMeta(query, total),
  }),
};

function presentFlatWorkout(
  { row, device, zones }: WorkoutsAtRead['workouts'][number],
  { unit_system = 'metric', include_sources }: FlatWorkoutsQuery,
): FlatWorkout {
  return {
    id: row.id,
    sport_type: row.type,
    source_type: row.sourceType ?? null,
    start: timestamp(row.startMs),
    end: timestamp(row.endMs),
    duration: wholeMinutes(row),
    distance: row.distanceKm === null ? null : presentValue('distance', row.distanceKm, unit_system),
    active_calories: shown('active_calories', row.calories),
    heart_rate_avg: shown('heart_rate', row.avgHeartRate),
    heart_rate_max: shown('max_heart_rate', row.maxHeartRate),
    heart_rate_zones: zones && presentZones(zones),
    elevation_gain: unit_system === 'metric' ? roundedOrNull(1, row.elevationMeters) : inFeet(row.elevationMeters),
    ...(include_sources ? { source: presentDevice(device) } : {}),
  };
}

function presentZones(zones: readonly HeartRateZone[]): ZoneMinutes {
  const minutes = (zone: HeartRateZone['zone']): number => {
    const found = zones.find((each) => each.zone === zone);
    return found ? presentZoneMinutes(found) : 0;
  };
  return { zone_1: minutes(1), zone_2: minutes(2), zone_3: minutes(3), zone_4: minutes(4), zone_5: minutes(5) };
}

function inFeet(meters: number | null): number | null {
  const feet = meters === null ? undefined : convertAs('m', meters, 'm', 'ft');
  return feet === undefined ? null : roundTo(1, feet);
}
