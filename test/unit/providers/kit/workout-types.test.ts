// Every name that a provider or a platform publishes has a type, and any other name is `other`.
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cloudProviderIds, providerIds } from '../../../../shared/catalog/provider.ts';
import { type WorkoutType, workoutTypes } from '../../../../shared/catalog/workout-types.ts';
import { appleWorkoutType } from '../../../../shared/providers/apple-health/workout-types.ts';
import { corosWorkoutType } from '../../../../shared/providers/coros/workout-types.ts';
import { garminWorkoutType } from '../../../../shared/providers/garmin/workout-types.ts';
import { googleWorkoutType } from '../../../../shared/providers/google-health/workout-types.ts';
import { healthConnectWorkoutType } from '../../../../shared/providers/health-connect/workout-types.ts';
import { createCodeLookup, createNameLookup } from '../../../../shared/providers/kit/workout-type-lookup.ts';
import { ouraWorkoutType } from '../../../../shared/providers/oura/workout-types.ts';
import { lookUpUploadedWorkoutType } from '../../../../shared/providers/phone/workout-types.ts';
import { polarWorkoutType } from '../../../../shared/providers/polar/workout-types.ts';
import { samsungWorkoutNumber, samsungWorkoutType } from '../../../../shared/providers/samsung-health/workout-types.ts';
import { stravaWorkoutType } from '../../../../shared/providers/strava/workout-types.ts';
import { suuntoWorkoutType } from '../../../../shared/providers/suunto/workout-types.ts';
import { whoopWorkoutType } from '../../../../shared/providers/whoop/workout-types.ts';
import { withingsWorkoutType } from '../../../../shared/providers/withings/workout-types.ts';
import { demandedSessions } from '../travelers.ts';
import * as lists from '../workout-lists.ts';

type TypeOf = (word: string) => WorkoutType;

const coros: TypeOf = (word) => {
  if (word.startsWith('t')) return corosWorkoutType({ sportType: Number(word.slice(1)) });
  const [mode, subMode] = word.split('/').map(Number);
  return corosWorkoutType({ mode, subMode });
};
const polar: TypeOf = (word) => polarWorkoutType(word, 'OTHER');
const strava: TypeOf = (word) => stravaWorkoutType(word, false);
const whoop: TypeOf = (sport_name) => whoopWorkoutType({ sport_name });
const whoopNumber: TypeOf = (word) => whoopWorkoutType({ sport_id: Number(word) });

const providers: [string, TypeOf, readonly string[], number, string][] = [
  ['oura', ouraWorkoutType, lists.oura, 120, 'activity other other_workout workout'],
  [
    'whoop',
    whoop,
    lists.whoop,
    123,
    'activity circus_arts coaching dedicated_parenting high_stress_work musical_performance operations_-_flying operations_-_medical operations_-_tactical operations_-_water other public_speaking stage_performance watching_sports',
  ],
  ['whoop, by number', whoopNumber, lists.whoopNumbers, 122, '-1 71 74 75 76 77 87 108 109 113 125 251 263 272'],
  ['garmin', garminWorkoutType, lists.garmin, 172, 'ALL ASSISTANCE OTHER RC_DRONE STOP_WATCH TACTICAL UNCATEGORIZED'],
  ['polar', polar, lists.polar, 189, 'OTHER OTHER_INDOOR OTHER_OUTDOOR'],
  ['suunto', suuntoWorkoutType, lists.suunto, 121, '4 5 6 7 8 9'],
  ['strava', strava, lists.strava, 56, 'Workout'],
  ['withings', withingsWorkoutType, lists.withings, 130, '36 128 539 555'],
  [
    'google_health',
    googleWorkoutType,
    lists.googleHealth,
    184,
    'EXERCISE_TYPE_UNSPECIFIED MUSICAL_PERFORMANCE OTHER OUTDOOR_WORKOUT SPORT WORKOUT',
  ],
  ['coros', coros, lists.coros, 75, '98 99'],
  ['apple_health', appleWorkoutType, lists.appleHealth, 84, 'other'],
  ['health_connect', healthConnectWorkoutType, lists.healthConnect, 62, 'OTHER_WORKOUT UNKNOWN'],
  ['samsung_health', samsungWorkoutType, lists.samsungHealth, 106, 'OTHER UNDEFINED'],
  ['samsung_health, by number', samsungWorkoutNumber, lists.samsungNumbers, 96, ''],
];

describe.each(providers)('%s', (_name, typeOf, list, count, others) => {
  test(`has ${count} names, of which only unspecific ones are other`, () => {
    expect(new Set(list).size).toBe(count);
    const unknown = list.filter((word) => typeOf(word) === 'other');
    expect(unknown).toEqual(others === '' ? [] : others.split(' '));
  });

  test('maps any name to a type of the vocabulary', () => {
    fc.assert(fc.property(fc.string(), (word) => workoutTypes.includes(typeOf(word))));
    for (const word of ['constructor', '__proto__', 'toString']) expect(typeOf(word)).toBe('other');
  });
});

test('every provider with a table of names, or with workouts, is checked here', () => {
  const hasTable = (provider: string): boolean =>
    existsSync(
      new URL(`../../../../shared/providers/${provider.replaceAll('_', '-')}/workout-types.ts`, import.meta.url),
    );
  const checked = new Set(providers.map(([name]) => name.split(',')[0]));
  expect([...checked].sort()).toEqual(providerIds.filter(hasTable).sort());
  const reporting = cloudProviderIds.filter((provider) => demandedSessions(provider).workouts);
  expect(reporting.length).toBeGreaterThan(0);
  expect(reporting.filter((provider) => !checked.has(provider))).toEqual([]);
});

test('the same sport has the same type for every provider', () => {
  const hikes = [
    ouraWorkoutType('hiking'),
    whoop('hiking/rucking'),
    garminWorkoutType('HIKING'),
    polar('HIKING'),
    suuntoWorkoutType(11),
    strava('Hike'),
    withingsWorkoutType(3),
    googleWorkoutType('HIKING'),
    corosWorkoutType({ mode: 16, subMode: 1 }),
    lookUpUploadedWorkoutType('HKWorkoutActivityTypeHiking'),
    lookUpUploadedWorkoutType('EXERCISE_TYPE_HIKING'),
  ];
  expect(new Set(hikes)).toEqual(new Set(['hiking']));
  const slopes = [
    ouraWorkoutType('downhillSkiing'),
    whoop('skiing'),
    garminWorkoutType('RESORT_SKIING'),
    polar('DOWNHILL_SKIING'),
    suuntoWorkoutType(13),
    strava('AlpineSki'),
    withingsWorkoutType(34),
    googleWorkoutType('SKIING'),
    corosWorkoutType({ mode: 21, subMode: 1 }),
    lookUpUploadedWorkoutType('downhillSkiing'),
    lookUpUploadedWorkoutType('EXERCISE_TYPE_SKIING'),
    lookUpUploadedWorkoutType('ALPINE_SKIING'),
  ];
  expect(new Set(slopes)).toEqual(new Set(['downhill_skiing']));
});

describe('the workout type of a phone’s app', () => {
  test.each([
    ['running', 'running'],
    ['Running', 'running'],
    ['HKWorkoutActivityTypeRunning', 'running'],
    ['EXERCISE_TYPE_RUNNING', 'running'],
    ['EXERCISE_SESSION_TYPE_RUNNING_TREADMILL', 'indoor_running'],
    ['traditionalStrengthTraining', 'strength_training'],
    ['HKWorkoutActivityTypeHighIntensityIntervalTraining', 'hiit'],
    ['biking_stationary', 'indoor_cycling'],
    ['POOL_SWIMMING', 'swimming'],
    ['FOOTBALL', 'soccer'],
    ['americanFootball', 'american_football'],
    ['1002', 'running'],
    ['trail_running', 'trail_running'],
    ['Underwater basket weaving', 'other'],
    ['37', 'other'],
    ['跑步', 'other'],
  ])('%s is %s', (word, type) => {
    expect(lookUpUploadedWorkoutType(word)).toBe(type);
  });

  test('is always one of the vocabulary', () => {
    fc.assert(fc.property(fc.string(), (word) => workoutTypes.includes(lookUpUploadedWorkoutType(word))));
  });

  test('is known for every name of the three platforms', () => {
    const names = [
      ...lists.appleHealth.map((name) => `HKWorkoutActivityType${name.charAt(0).toUpperCase()}${name.slice(1)}`),
      ...lists.healthConnect.map((name) => `EXERCISE_TYPE_${name}`),
      ...lists.samsungHealth,
    ];
    const unknown = names.filter((word) => lookUpUploadedWorkoutType(word) === 'other');
    expect(unknown).toEqual([
      'HKWorkoutActivityTypeOther',
      'EXERCISE_TYPE_OTHER_WORKOUT',
      'EXERCISE_TYPE_UNKNOWN',
      'OTHER',
      'UNDEFINED',
    ]);
  });
});

test('a table with a type that is not in the vocabulary is rejected', () => {
  expect(() => createNameLookup('bog_snorkelling: BOGS')).toThrow('bog_snorkelling is not a workout type');
  expect(() => createCodeLookup('bog_snorkelling: 7')).toThrow('bog_snorkelling is not a workout type');
});

test('older responses of WHOOP have a number instead of a name', () => {
  expect(whoopWorkoutType({ sport_name: null, sport_id: 52 })).toBe('hiking');
  expect(whoopWorkoutType({ sport_name: 'running', sport_id: 1 })).toBe('running');
});

test('a sub-mode of COROS counts where it is more specific', () => {
  expect(corosWorkoutType({ mode: 8, subMode: 2 })).toBe('indoor_running');
  expect(corosWorkoutType({ mode: 16, subMode: 2 })).toBe('hiking');
  expect(corosWorkoutType({ sportType: 203 })).toBe('gravel_cycling');
  expect(corosWorkoutType({})).toBe('other');
});
