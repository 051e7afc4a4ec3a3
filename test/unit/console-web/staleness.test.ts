import { expect, test } from 'vitest';
import { listNewest, type ShownMetric } from '../../../functions/api/console/web/pages/person/measured-metrics.ts';
import {
  isSilent,
  listStaleDevices,
  listStaleValues,
} from '../../../functions/api/console/web/pages/person/staleness.ts';
import { metricCatalog } from '../../../shared/catalog/data-catalog.ts';

const now = Date.parse('2026-03-20T12:00:00Z');
const daysAgo = (days: number): string => new Date(now - days * 86_400_000).toISOString();

test('a ring that is silent for three days is stale, and a scale is not', () => {
  expect(isSilent({ type: 'ring', last_sync_at: daysAgo(3) }, now)).toBe(true);
  expect(isSilent({ type: 'ring', last_sync_at: daysAgo(1) }, now)).toBe(false);
  expect(isSilent({ type: 'scale', last_sync_at: daysAgo(3) }, now)).toBe(false);
  expect(isSilent({ type: 'ring', last_sync_at: null }, now)).toBe(false);
});

test('only connected devices are stale: those that are silent, and those that cannot be read', () => {
  const ring = { id: 'ring', type: 'ring', status: 'active', sync: null, last_sync_at: daysAgo(5) } as const;
  const sync = { state: 'failed', from: '2026-03-01', to: '2026-03-20', done: 1 } as const;
  const failing = { ...ring, id: 'failing', last_sync_at: null, sync };
  const devices = [
    ring,
    { ...ring, id: 'new', last_sync_at: daysAgo(0) },
    { ...ring, status: 'disconnected' as const },
  ];
  expect(listStaleDevices([...devices, failing], now).map(({ id }) => id)).toEqual(['ring', 'failing']);
});

test('a measurement that is older than a week is stale, the oldest first', () => {
  const metrics: readonly ShownMetric[] = metricCatalog.metrics;
  const dates = Array.from({ length: 20 }, (_none, at) => `2026-03-${String(at + 1).padStart(2, '0')}`);
  const until = (last: number) => dates.map((_date, at) => (at < last ? at : null));
  const series = { steps: until(20), weight: until(12), height: until(3), asleep: until(13), water: until(0) };
  const newest = listNewest(metrics, { dates, series });
  expect(newest.map(({ metric, date }) => `${metric.id} ${date}`)).toEqual([
    'steps 2026-03-20',
    'asleep 2026-03-13',
    'weight 2026-03-12',
    'height 2026-03-03',
  ]);
  expect(listStaleValues(newest, '2026-03-20').map(({ metric }) => metric.id)).toEqual(['height', 'weight']);
});
