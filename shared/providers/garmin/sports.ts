// Garmin's activity types in our words. What is not here is named as Garmin names it.
import { sportSlug } from '../sport-slug.ts';

const sports: Readonly<Record<string, string>> = {
  RUNNING: 'running',
  STREET_RUNNING: 'running',
  ULTRA_RUN: 'running',
  OBSTACLE_RUN: 'running',
  TRAIL_RUNNING: 'trail_running',
  TRACK_RUNNING: 'track_running',
  INDOOR_RUNNING: 'indoor_running',
  TREADMILL_RUNNING: 'indoor_running',
  VIRTUAL_RUN: 'indoor_running',
  WALKING: 'walking',
  CASUAL_WALKING: 'walking',
  SPEED_WALKING: 'walking',
  INDOOR_WALKING: 'indoor_walking',
  HIKING: 'hiking',
  CYCLING: 'cycling',
  ROAD_BIKING: 'cycling',
  CYCLOCROSS: 'cycling',
  RECUMBENT_CYCLING: 'cycling',
  MOUNTAIN_BIKING: 'mountain_biking',
  DOWNHILL_BIKING: 'mountain_biking',
  GRAVEL_CYCLING: 'gravel_cycling',
  INDOOR_CYCLING: 'indoor_cycling',
  VIRTUAL_RIDE: 'indoor_cycling',
  SWIMMING: 'swimming',
  LAP_SWIMMING: 'swimming',
  OPEN_WATER_SWIMMING: 'open_water_swimming',
  RESORT_SKIING_SNOWBOARDING: 'downhill_skiing',
  CROSS_COUNTRY_SKIING: 'cross_country_skiing',
};

export const garminSport = (type: string | null | undefined): string =>
  (type && Object.hasOwn(sports, type) ? sports[type] : undefined) ?? sportSlug(type ?? '');

/** A parent stands for parts that are sent too. */
export const isGarminMultisport = (type: string | null | undefined): boolean => type === 'MULTI_SPORT';
