import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MetricId, metricIds } from '../../../shared/catalog/metrics.ts';
import { ConnectionKind, DeviceType } from '../../../shared/catalog/provider.ts';
import { compareByPriority, type RankedDevice, rank } from '../../../shared/consolidation/device-priority.ts';

const anyMetric = fc.constantFrom(...metricIds);
const anyDevice: fc.Arbitrary<RankedDevice> = fc.record({
  id: fc.constantFrom('dev_a', 'dev_b', 'dev_c', 'dev_d'),
  connection: fc.constantFrom(...ConnectionKind.options),
  deviceType: fc.constantFrom(...DeviceType.options),
  connectedMs: fc.constantFrom(null, 1_000, 1_001, 2_000),
});

const cloud = (deviceType: DeviceType) => ({ connection: 'cloud' as const, deviceType });
const sdk = (deviceType: DeviceType) => ({ connection: 'sdk' as const, deviceType });

function orderFor(metric: MetricId): DeviceType[][] {
  const typesByRank = Map.groupBy(DeviceType.options, (type) => rank(cloud(type), metric));
  return [...typesByRank].sort(([a], [b]) => a - b).map(([, types]) => types.toSorted());
}

describe('priority', () => {
  test.each<[MetricId, DeviceType[][]]>([
    ['asleep', [['ring'], ['wrist'], ['scale'], ['phone'], ['app'], ['cgm']]],
    ['heart_rate', [['wrist'], ['ring'], ['phone'], ['app'], ['cgm', 'scale']]],
    ['blood_glucose', [['cgm'], ['wrist'], ['ring'], ['phone'], ['app'], ['scale']]],
    ['weight', [['scale'], ['phone'], ['app'], ['cgm', 'ring', 'wrist']]],
    ['steps', [['wrist'], ['ring'], ['phone'], ['app'], ['cgm', 'scale']]],
    ['active_calories', [['wrist'], ['ring'], ['phone'], ['app'], ['cgm', 'scale']]],
    ['protein', [['app'], ['phone'], ['cgm', 'ring', 'scale', 'wrist']]],
  ])('ranks the device types in the documented order for %s', (metric, order) => {
    expect(orderFor(metric)).toEqual(order);
  });

  test('ranks any Mobile SDK device before any cloud device', () => {
    fc.assert(
      fc.property(
        anyMetric,
        fc.constantFrom(...DeviceType.options),
        fc.constantFrom(...DeviceType.options),
        (metric, a, b) => {
          expect(rank(sdk(a), metric)).toBeLessThan(rank(cloud(b), metric));
        },
      ),
    );
  });

  test('ranks Mobile SDK devices by device type', () => {
    expect(rank(sdk('ring'), 'asleep')).toBeLessThan(rank(sdk('phone'), 'asleep'));
    expect(rank(sdk('phone'), 'weight')).toBeLessThan(rank(sdk('wrist'), 'weight'));
  });

  test('breaks ties by the latest connection, then by the device id', () => {
    const device = (id: string, connectedMs: number | null): RankedDevice => ({ id, connectedMs, ...cloud('ring') });
    const sorted = [device('dev_a', null), device('dev_d', 1_000), device('dev_c', 2_000), device('dev_b', 1_000)].sort(
      compareByPriority('asleep'),
    );
    expect(sorted.map(({ id }) => id)).toEqual(['dev_c', 'dev_b', 'dev_d', 'dev_a']);
  });

  test('is a total order: antisymmetric, transitive, and equal only for the same device', () => {
    fc.assert(
      fc.property(anyMetric, anyDevice, anyDevice, anyDevice, (metric, a, b, c) => {
        const compare = compareByPriority(metric);
        expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).toBe(0);
        if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
        if (compare(a, b) === 0) expect(a.id).toBe(b.id);
      }),
      { numRuns: 2_000 },
    );
  });

  test('does not depend on the order of the devices', () => {
    const devices = fc.uniqueArray(anyDevice, { selector: ({ id }) => id });
    fc.assert(
      fc.property(anyMetric, devices, (metric, some) => {
        expect(some.toReversed().sort(compareByPriority(metric))).toEqual(some.toSorted(compareByPriority(metric)));
      }),
    );
  });
});
