// Renders the workout list in numbered pages, with the minutes in each heart-rate zone.

import { convertWithin } from '../../catalog/units.ts';
import type { HeartRateZone } from '../../measurements/heart-rate-zones.ts';
import { roundTo } from '../../platform/arithmetic.ts';
import { type OffsetQuery, presentPageMeta, requestedPage } from '../../platform/offset-page.ts';
import type { Presenter } from '../../platform/presenter.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import { presentUtcOffset } from '../../platform/time/utc-offset.ts';
import { presentValue } from '../kit/present-value.ts';
import type { UnitSystem } from '../kit/read-parameters.ts';
import { parseStartEnd, type StartEndQuery } from '../kit/requested-range.ts';
import { presentDevice } from '../kit/source.ts';
import { durationInMinutes, presentZoneMinutes, roundMetricOrNull, roundOrNull } from '../sessions/session-fields.ts';
import type { FlatWorkout, WorkoutOffsetPage, ZoneMinutes } from './form-1-schema.ts';
import type { WorkoutsAtOffsetRequest, WorkoutsAtOffsetResult } from './read-workouts.ts';

export interface FlatWorkoutsQuery extends StartEndQuery, OffsetQuery {
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
}

export const form1Workouts: Presenter<
  FlatWorkoutsQuery,
  WorkoutsAtOffsetRequest,
  WorkoutsAtOffsetResult,
  WorkoutOffsetPage
> = {
  parse: (query) => ({ range: parseStartEnd(query), ...requestedPage(query) }),
  render: ({ workouts, total }, query) => ({
    data: workouts.map((found) => presentFlatWorkout(found, query)),
    meta: presentPageMeta(query, total),
  }),
};

function presentFlatWorkout(
  { row, device, zones }: WorkoutsAtOffsetResult['workouts'][number],
  { unit_system = 'metric', include_sources }: FlatWorkoutsQuery,
): FlatWorkout {
  return {
    id: row.id,
    sport_type: row.type,
    source_type: row.sourceType ?? null,
    start: formatTimestamp(row.startMs),
    end: formatTimestamp(row.endMs),
    utc_offset: presentUtcOffset(row),
    duration: durationInMinutes(row),
    distance: row.distanceKm === null ? null : presentValue('distance', row.distanceKm, unit_system),
    active_calories: roundMetricOrNull('active_calories', row.calories),
    heart_rate_avg: roundMetricOrNull('heart_rate', row.avgHeartRate),
    heart_rate_max: roundMetricOrNull('max_heart_rate', row.maxHeartRate),
    heart_rate_zones: zones && presentZones(zones),
    elevation_gain: unit_system === 'metric' ? roundOrNull(1, row.elevationMeters) : toFeet(row.elevationMeters),
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

function toFeet(meters: number | null): number | null {
  const feet = meters === null ? undefined : convertWithin('m', meters, 'm', 'ft');
  return feet === undefined ? null : roundTo(1, feet);
}
