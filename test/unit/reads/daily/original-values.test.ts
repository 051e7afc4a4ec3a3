// Original values before conversion, where only a share of them counts: as the device wrote them,
// without floating-point errors.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromCanonical, type MetricId, toCanonical } from '../../../../shared/catalog/metrics.ts';
import { computeShares } from '../../../../shared/consolidation/coverage-shares.ts';
import { buildTimeline } from '../../../../shared/measurements/build-timeline.ts';
import { restoreDecimal } from '../../../../shared/platform/arithmetic.ts';
import { readDaily } from '../../../../shared/reads/daily/read-daily.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../../harness/domain-world.ts';
import { runWriter } from '../../../harness/run-writer.ts';

const date = '2026-03-10';

describe('a share of a day', () => {
  let world: EngineDomainWorld;
  beforeAll(async () => {
    world = await openEngineDomainWorld();
  });
  afterAll(() => world.localTable.stop());

  /** Returns the original value of the device with the largest share. */
  async function originalOf(metric: MetricId, watch: object[], phone: object[]) {
    const user = await world.user({ timezone: 'UTC' });
    for (const [model, type, samples] of [
      ['W1', 'wrist', watch],
      ['P1', 'phone', phone],
    ] as const) {
      const device = { name: model, model, type };
      await world.upload(user, 'apple_health', { time_zone: 'UTC', device, samples });
      world.clock.advance(1_000);
    }
    await runWriter(world.deps, user);
    const range = { from: date, to: date, names: { from: 'from', to: 'to' }, maxDays: 31 };
    const { sources } = await readDaily(world.deps, world.caller, user, {
      range,
      metrics: [metric],
      withSources: true,
    });
    return sources?.[0]?.[0]?.original;
  }
  const sample = (metric: MetricId, from: string, to: string, value: number, unit: string) => ({
    metric,
    start: `${date}T${from}:00Z`,
    end: `${date}T${to}:00Z`,
    value,
    unit,
  });

  test('has the digits that its parts were written with, including several within five minutes', async () => {
    const energy = (from: string, to: string, value: number) => sample('active_calories', from, to, value, 'kJ');
    const phone = [
      energy('08:00', '09:00', 500.05),
      energy('10:01', '10:02', 300.7),
      energy('10:03', '10:04', 22.3),
      energy('12:00', '12:30', 176.95),
    ];
    const watch = [sample('active_calories', '12:00', '12:30', 40, 'kcal')];
    expect(await originalOf('active_calories', watch, phone)).toEqual({ value: 823.05, unit: 'kJ' });
  });

  test('is divided by time where a part of it is covered, and not rounded to the digits of whole parts', async () => {
    const watch = [sample('distance', '08:30', '09:00', 0.1, 'km')];
    const phone = [sample('distance', '08:00', '09:00', 1, 'mi')];
    expect(await originalOf('distance', watch, phone)).toEqual({ value: 0.5, unit: 'mi' });
    const third = [sample('distance', '08:00', '09:30', 1, 'mi')];
    expect(await originalOf('distance', watch, third)).toEqual({ value: 0.666666666667, unit: 'mi' });
  });
});

test('the share of samples that count in full is their decimal sum, next to any other samples', () => {
  const units: [MetricId, string][] = [
    ['active_calories', 'kJ'],
    ['active_calories', 'kcal'],
    ['distance', 'mi'],
    ['distance', 'm'],
    ['exercise', 'h'],
    ['swimming', 'yd'],
  ];
  const written = fc.record({
    // Some are in one cell of five minutes, some cross its border.
    minute: fc.integer({ min: 0, max: 700 }),
    thousandths: fc.oneof(
      fc.integer({ min: 1, max: 999_999 }),
      fc.integer({ min: 1, max: 99 }).map((n) => n * 1_000),
    ),
    isCovered: fc.boolean(),
  });
  const day = fc.uniqueArray(written, { minLength: 1, maxLength: 60, selector: ({ minute }) => minute });
  fc.assert(
    fc.property(fc.constantFrom(...units), day, ([metric, unit], samples) => {
      const canonical = (thousandths: number): number => toCanonical(metric, thousandths / 1_000, unit) ?? Number.NaN;
      const toOriginal = (value: number): number => fromCanonical(metric, value, unit) ?? Number.NaN;
      const at = (minute: number, thousandths: number) => ({
        startMs: minute * 60_000,
        endMs: (minute + 1) * 60_000,
        value: canonical(thousandths),
      });
      // The covered half of the day lies after the other, so that no bundle of five minutes
      // contains both.
      const own = samples.map(({ minute, thousandths, isCovered }) =>
        at(isCovered ? minute + 720 : minute, thousandths),
      );
      const covering = [{ startMs: 720 * 60_000, endMs: 1_440 * 60_000, value: 1 }];
      const timeline = buildTimeline(own);
      const [, share = Number.NaN] = computeShares([
        { timeline: buildTimeline(covering), adjacentPieces: [] },
        { timeline, adjacentPieces: [] },
      ]);
      const uncovered = samples.filter(({ isCovered }) => !isCovered);
      const exact = uncovered.reduce((sum, { thousandths }) => sum + thousandths, 0) / 1_000;
      expect(restoreDecimal(toOriginal(share), toOriginal(timeline.total))).toBe(exact);
    }),
    { numRuns: 500 },
  );
});

test.each([
  [823.050000000012, 823.05, 823.05],
  [22.30000002, 28_000, 22.3],
  [1e-13, 10, 0],
  [0, 0, 0],
  [1 / 3, 1, 0.333333333333],
  [1 / 240, 100, 0.004166666667],
  [-2.5000000000001, 10, -2.5],
  [0.123456, 0.2, 0.123456],
])('%d of %d is restored to %d', (part, total, value) => {
  expect(restoreDecimal(part, total)).toBe(value);
});
