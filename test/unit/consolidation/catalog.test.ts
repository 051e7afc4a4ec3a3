import { describe, expect, test } from 'vitest';
import { ConsolidationCatalog } from '../../../shared/catalog/consolidation-entry.ts';
import { metricIds } from '../../../shared/catalog/metrics.ts';
import {
  consolidationCatalog,
  consolidationEntry,
  consolidationKey,
  metricsForKey,
} from '../../../shared/consolidation/catalog.ts';

describe('the consolidation catalog', () => {
  test('matches its published schema, category by category', () => {
    expect(ConsolidationCatalog.parse(consolidationCatalog)).toEqual(consolidationCatalog);
    expect(consolidationCatalog.category_order).toEqual([
      'Activity',
      'Energy',
      'Body Composition',
      'Sleep',
      'Vitals',
      'Nutrition',
    ]);
    const seen = consolidationCatalog.metrics.map(({ category }) => category);
    expect([...new Set(seen)]).toEqual(consolidationCatalog.category_order);
    expect(seen).toEqual(consolidationCatalog.category_order.flatMap((name) => seen.filter((each) => each === name)));
  });

  test('shows a metric, a summable metric and a group as documented', () => {
    expect(consolidationEntry('heart_rate')).toEqual({
      key: 'heart_rate',
      display_name: 'Heart Rate',
      category: 'Vitals',
      kind: 'metric',
      default_method: 'priority',
      allowed_methods: ['priority', 'max', 'avg'],
    });
    expect(consolidationEntry('steps')).toMatchObject({
      default_method: 'merge',
      allowed_methods: ['merge', 'priority', 'max', 'avg', 'sum'],
    });
    expect(consolidationEntry('stand_time')).toMatchObject({
      default_method: 'merge',
      allowed_methods: ['merge', 'priority', 'max', 'avg'],
    });
    expect(consolidationEntry('protein')).toMatchObject({
      default_method: 'priority',
      allowed_methods: ['priority', 'max', 'avg', 'sum'],
    });
    expect(consolidationEntry('sleep')).toEqual({
      key: 'sleep',
      display_name: 'Sleep',
      category: 'Sleep',
      kind: 'group',
      default_method: 'priority',
      allowed_methods: ['priority', 'max', 'avg'],
    });
    expect(consolidationEntry('blood_pressure')).toMatchObject({ kind: 'group', category: 'Vitals' });
  });

  test('reaches every metric through exactly one key', () => {
    const reached = consolidationCatalog.metrics.flatMap(({ key }) => metricsForKey(key));
    expect(reached.toSorted()).toEqual(metricIds.toSorted());
    for (const metric of metricIds) expect(metricsForKey(consolidationKey(metric))).toContain(metric);
  });

  test('offers grouped metrics only through their group', () => {
    expect(consolidationEntry('deep_sleep')).toBeUndefined();
    expect(consolidationKey('deep_sleep')).toBe('sleep');
    expect(metricsForKey('deep_sleep')).toEqual([]);
    expect(consolidationEntry('sleep_heart_rate')?.kind).toBe('metric');
  });

  test('allows sums of steps, distances, energy, exercise and nutrition, and of nothing else', () => {
    const summable = consolidationCatalog.metrics.filter(({ allowed_methods }) => allowed_methods.includes('sum'));
    const byCategory = (category: string) =>
      summable.filter((entry) => entry.category === category).map(({ key }) => key);
    expect(byCategory('Activity')).toEqual([
      'steps',
      'distance',
      'exercise',
      'walking',
      'indoor_walking',
      'running',
      'indoor_running',
      'cycling',
      'indoor_cycling',
      'swimming',
    ]);
    expect(byCategory('Energy')).toHaveLength(3);
    expect(byCategory('Nutrition')).toHaveLength(11);
    expect(summable).toHaveLength(24);
  });
});
