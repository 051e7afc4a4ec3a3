import { describe, expect, test } from 'vitest';
import { getWorkoutTypeName, workoutTypeCatalog } from '../../../shared/catalog/workout-type-catalog.ts';
import {
  findWorkoutType,
  getDistanceMetric,
  getParentType,
  type WorkoutType,
  workoutDistanceMetrics,
  workoutTypes,
} from '../../../shared/catalog/workout-types.ts';

function ancestorsOf(type: WorkoutType): WorkoutType[] {
  const above = getParentType(type);
  return above ? [above, ...ancestorsOf(above)] : [];
}

describe('workout types', () => {
  test('are unique and in snake case, with `other` last', () => {
    expect(new Set(workoutTypes).size).toBe(workoutTypes.length);
    expect(workoutTypes.length).toBeGreaterThanOrEqual(180);
    for (const type of workoutTypes) expect(type).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(workoutTypes.at(-1)).toBe('other');
  });

  test('form a tree: every type comes after its parent, so none is its own ancestor', () => {
    const seen = new Set<string>();
    for (const type of workoutTypes) {
      const parent = getParentType(type);
      if (parent) expect(seen).toContain(parent);
      seen.add(type);
    }
    expect(getParentType('trail_running')).toBe('running');
    expect(ancestorsOf('e_mountain_biking')).toEqual(['e_biking', 'cycling']);
    expect(getParentType('running')).toBeNull();
  });

  test('have unique display names made of words', () => {
    const names = workoutTypes.map(getWorkoutTypeName);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z -]+$/);
    expect(getWorkoutTypeName('stand_up_paddling')).toBe('Stand-up paddling');
  });

  test('are all listed in the catalog', () => {
    expect(workoutTypeCatalog.workout_types.map(({ id }) => id)).toEqual(workoutTypes);
    expect(workoutTypeCatalog.workout_types).toContainEqual({
      id: 'trail_running',
      display_name: 'Trail running',
      parent: 'running',
    });
  });
});

describe('workout distance', () => {
  test.each([
    ['hiking', 'walking'],
    ['rucking', 'walking'],
    ['nordic_walking', 'walking'],
    ['trail_running', 'running'],
    ['indoor_running', 'indoor_running'],
    ['e_mountain_biking', 'cycling'],
    ['indoor_cycling', 'indoor_cycling'],
    ['open_water_swimming', 'swimming'],
    ['rowing', undefined],
    ['artistic_swimming', undefined],
    ['cross_country_skiing', undefined],
    ['other', undefined],
  ] as const)('of %s counts as %s', (type, metric) => {
    expect(getDistanceMetric(type)).toBe(metric);
  });

  test('counts toward one of seven metrics', () => {
    const metrics = new Set(workoutTypes.flatMap((type) => getDistanceMetric(type) ?? []));
    expect([...metrics].sort()).toEqual(workoutDistanceMetrics.toSorted());
    expect(workoutDistanceMetrics).toHaveLength(7);
  });
});

describe('a workout type name', () => {
  test('is recognized regardless of case and separators', () => {
    for (const word of ['trail_running', 'TRAIL_RUNNING', 'trailRunning', 'Trail Running', 'trail-running'])
      expect(findWorkoutType(word)).toBe('trail_running');
  });

  test('that no type has is not found, even if it is an object property', () => {
    for (const word of ['constructor', '__proto__', '', '…', 'toString']) expect(findWorkoutType(word)).toBeUndefined();
  });
});
