import { describe, expect, test } from 'vitest';
import { metricCatalog } from '../../../shared/catalog/data-catalog.ts';
import { MetricCatalog } from '../../../shared/catalog/metric-catalog.ts';
import { metricTable } from '../../../shared/catalog/metric-table.ts';
import { isMetricId, metricIds, metricRow } from '../../../shared/catalog/metrics.ts';
import { MobileScope } from '../../../shared/catalog/mobile-scopes.ts';
import { scoreIds } from '../../../shared/catalog/score-ids.ts';

const { metrics } = metricCatalog;
const entryOf = (id: string) => metrics.find((entry) => entry.id === id);

describe('the data catalog', () => {
  test('lists every metric of the six categories, and the scores as the seventh', () => {
    const counts = metrics.reduce<Record<string, number>>((sum, { category }) => {
      sum[category] = (sum[category] ?? 0) + 1;
      return sum;
    }, {});
    const expected = { activity: 14, sleep: 17, vitals: 15, body_composition: 10, energy: 3, nutrition: 11, scores: 6 };
    expect(counts).toEqual(expected);
    expect(Object.keys(expected)).toEqual(MobileScope.options);
    expect(metrics.map(({ id }) => id)).toEqual([...metricIds, ...scoreIds]);
  });

  test('matches its published schema', () => {
    expect(MetricCatalog.parse(metricCatalog)).toEqual(metricCatalog);
    expect(entryOf('swimming')).toEqual({
      id: 'swimming',
      display_name: 'Swimming',
      description: expect.stringMatching(/^Distance swum, .* The daily value adds up /),
      category: 'activity',
      unit: 'm',
      imperial_unit: 'mi',
      precision: 0,
      imperial_precision: 3,
      aggregation: 'sum',
      range: [0, 100_000],
      read_from: ['/v1/users/{id}/daily', '/v1/users/{id}/timeseries'],
    });
    expect(entryOf('stress_score')).toEqual({
      id: 'stress_score',
      display_name: 'Physiological Stress Score',
      description: expect.stringContaining('the daily score does not use them'),
      category: 'scores',
      unit: 'score',
      imperial_unit: 'score',
      precision: 0,
      imperial_precision: 0,
      aggregation: null,
      range: [0, 100],
      read_from: ['/v1/users/{id}/scores', '/v1/users/{id}/scores/history', '/v1/users/{id}/timeseries'],
    });
    expect(entryOf('sleep_score')?.read_from).toEqual(['/v1/users/{id}/scores', '/v1/users/{id}/scores/history']);
  });

  test('uses imperial units only for distances, temperatures, masses and lengths', () => {
    const imperial = new Map(metrics.map((metric) => [metric.unit, metric.imperial_unit]));
    const changed = [...imperial].filter(([unit, other]) => unit !== other);
    expect(Object.fromEntries(changed)).toEqual({ km: 'mi', m: 'mi', '°C': '°F', kg: 'lb', cm: 'in' });
  });
});

describe('a description', () => {
  test.each(metrics)('of $id is unique and has two sentences, or one to three for a score', ({ id, description }) => {
    expect(description).toMatch(/^[A-Z].+\.$/);
    const sentences = description.split(/(?<=[.;]) /).filter((part) => part.endsWith('.'));
    expect(sentences.length).toBeGreaterThanOrEqual(isMetricId(id) ? 2 : 1);
    expect(sentences.length).toBeLessThanOrEqual(isMetricId(id) ? 2 : 3);
    expect(description.length).toBeLessThan(330);
    expect(metrics.filter((other) => other.description === description)).toHaveLength(1);
  });

  test.each(metricTable)('of $id states how a day is aggregated', (row) => {
    const { description } = entryOf(row.id) ?? { description: '' };
    const { accrues, aggregation, category, group } = metricRow(row.id);
    expect(description.includes('each moment counted once')).toBe(accrues);
    if (accrues) expect(aggregation).toBe('sum');
    expect(description.includes('sleep sessions that end on the day')).toBe(
      group === 'sleep' && aggregation === 'sum' && row.id !== 'restorative_sleep',
    );
    if (category === 'sleep' || accrues) return;
    const phrases = {
      sum: 'is the sum of',
      avg: 'is the mean of',
      min: 'lowest',
      max: 'highest',
      last: 'last',
    };
    expect(description).toContain(phrases[aggregation]);
    expect(description.includes('come from that device')).toBe(group === 'blood_pressure');
  });
});
