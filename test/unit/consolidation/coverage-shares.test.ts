import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Coverage, computeShares } from '../../../shared/consolidation/coverage-shares.ts';
import { buildTimeline } from '../../../shared/measurements/build-timeline.ts';
import type { Piece } from '../../../shared/measurements/timeline.ts';

const cellSeconds = 300;
const hourSeconds = 3_600;

/** Whole seconds within a few hours, with values that divide evenly by the seconds of a sample. */
const anySample = (grid: number): fc.Arbitrary<Piece> =>
  fc
    .record({
      from: fc.integer({ min: 0, max: Math.floor((3 * hourSeconds) / grid) }),
      cells: fc.integer({ min: 1, max: Math.floor((2 * hourSeconds) / grid) }),
      each: fc.integer({ min: 0, max: 9 }),
    })
    .map(({ from, cells, each }) => ({
      startMs: from * grid * 1_000,
      endMs: (from + cells) * grid * 1_000,
      value: each * cells * grid,
    }));
const anyDevices = (grid: number) =>
  fc.array(fc.array(anySample(grid), { maxLength: 8 }), { minLength: 1, maxLength: 4 });

/** Counts second by second: each second belongs to the highest-ranked device that measured then. */
function countBySecond(devices: readonly (readonly Piece[])[]): number[] {
  const deviceShares = devices.map(() => 0);
  for (let second = 0; second < 6 * hourSeconds; second++) {
    const measuring = (samples: readonly Piece[]) =>
      samples.filter(({ startMs, endMs }) => startMs <= second * 1_000 && second * 1_000 < endMs);
    const winner = devices.findIndex((samples) => measuring(samples).length > 0);
    for (const { startMs, endMs, value } of measuring(devices[winner] ?? []))
      deviceShares[winner] = (deviceShares[winner] ?? 0) + value / ((endMs - startMs) / 1_000);
  }
  return deviceShares;
}

const shares = (devices: readonly (readonly Piece[])[]): number[] =>
  computeShares(devices.map((samples) => ({ timeline: buildTimeline(samples), adjacentPieces: [] }))).map(
    (share) => share ?? 0,
  );
const total = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0);
const sumOf = (samples: readonly Piece[]): number => total(samples.map(({ value }) => value));

const isShort = ({ startMs, endMs }: Piece): boolean => endMs - startMs <= cellSeconds * 1_000;

/**
 * The part of a sample in the five-minute cells that hold short samples of a higher-ranked device,
 * which may be joined with what lies between them.
 */
function valueInCells(short: readonly Piece[], { startMs, endMs, value }: Piece): number {
  const cells = new Set(short.map((each) => Math.floor(each.startMs / (cellSeconds * 1_000))));
  return [...cells].reduce((sum, cell) => {
    const [from, to] = [cell * cellSeconds * 1_000, (cell + 1) * cellSeconds * 1_000];
    const shared = Math.max(0, Math.min(endMs, to) - Math.max(startMs, from));
    return sum + (value * shared) / (endMs - startMs);
  }, 0);
}

describe('the share of each device in a day', () => {
  test('equals a second-by-second count if the samples are aligned to five minutes', () => {
    fc.assert(
      fc.property(anyDevices(cellSeconds), (devices) => {
        const expected = countBySecond(devices);
        shares(devices).forEach((share, at) => {
          expect(share).toBeCloseTo(expected[at] ?? Number.NaN, 3);
        });
      }),
      { numRuns: 60 },
    );
  });

  test('is within five minutes of that count at every boundary of a higher-ranked device, however short the samples', () => {
    fc.assert(
      fc.property(anyDevices(20), (devices) => {
        const expected = countBySecond(devices);
        shares(devices).forEach((share, at) => {
          const short = (devices[at] ?? []).filter(isShort);
          const better = devices.slice(0, at).flatMap((samples) => samples.filter(isShort));
          const between = (devices[at] ?? []).map((sample) => valueInCells(better, sample));
          expect(Math.abs(share - (expected[at] ?? 0))).toBeLessThanOrEqual(sumOf(short) + total(between) + 1e-3);
        });
      }),
      { numRuns: 60 },
    );
  });

  test('never exceeds what was measured in total, and is everything for the highest-ranked device', () => {
    fc.assert(
      fc.property(anyDevices(7), (devices) => {
        const deviceShares = shares(devices);
        expect(total(deviceShares)).toBeLessThanOrEqual(total(devices.map(sumOf)) + 1e-6);
        expect(deviceShares[0]).toBe(sumOf(devices[0] ?? []));
      }),
      { numRuns: 500 },
    );
  });

  test('does not depend on the order of the samples', () => {
    fc.assert(
      fc.property(anyDevices(7), (devices) => {
        expect(shares(devices.map((samples) => samples.toReversed()))).toEqual(shares(devices));
      }),
      { numRuns: 300 },
    );
  });

  test('counts the same walk on two devices once, and two walks twice', () => {
    const walk = { startMs: 0, endMs: 600_000, value: 900 };
    const later = { startMs: 600_000, endMs: 1_200_000, value: 700 };
    expect(shares([[walk], [walk]])).toEqual([900, 0]);
    expect(shares([[walk], [later]])).toEqual([900, 700]);
    expect(shares([[walk], [{ startMs: 300_000, endMs: 900_000, value: 600 }]])).toEqual([900, 300]);
  });

  test('is exact: half a step stays half a step', () => {
    const cut = { startMs: 0, endMs: 180 * 60_000, value: (2 * 3) / 7 };
    expect(shares([[{ startMs: 0, endMs: 75 * 60_000, value: 10 }], [cut]])).toEqual([10, 0.5]);
  });

  test('keeps the sum of thousands of samples across cell boundaries, in few pieces', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({
      startMs: at * 17_001,
      endMs: at * 17_001 + 400_000,
      value: 1.5,
    }));
    const moments = Array.from({ length: 5 }, (_, at) => ({ startMs: at * 600_000, endMs: at * 600_000, value: 100 }));
    const { total: all, pieces } = buildTimeline([...many, ...moments]);
    expect(all).toBe(8_000);
    expect(pieces.length).toBeLessThan(300);
    expect(sumOf(pieces)).toBeCloseTo(8_000, 4);
  });

  test('joins a sample that ends at a cell boundary with what comes before it in the cell', () => {
    const minutes = (from: number, to: number, value: number) => ({
      startMs: from * 60_000,
      endMs: to * 60_000,
      value,
    });
    expect(shares([[minutes(0, 1, 5), minutes(4, 5, 50)], [minutes(2, 3, 7)]])).toEqual([55, 0]);
    expect(shares([[minutes(0, 1, 5), minutes(4, 6, 50)], [minutes(2, 3, 7)]])).toEqual([55, 7]);
  });

  test('loses only those moments of a cell at which a higher-ranked device has one too', () => {
    const moment = (startMs: number) => ({ startMs, endMs: startMs, value: 1 });
    expect(shares([[moment(5)], Array.from({ length: 100 }, (_, at) => moment(5 + at))])).toEqual([1, 99]);
  });

  test('counts two devices at one instant once, regardless of what else they have within five minutes', () => {
    const at = (minute: number, value: number) => ({ startMs: minute * 60_000, endMs: minute * 60_000, value });
    expect(shares([[at(0, 1), at(3, 1)], [at(3, 5)]])).toEqual([2, 0]);
    expect(shares([[at(3, 1)], [at(0, 1), at(3, 5)]])).toEqual([1, 1]);
    expect(
      shares([
        [at(0, 1), at(3, 1)],
        [at(3, 5), at(4, 7)],
      ]),
    ).toEqual([2, 7]);
  });

  test('equals a count instant by instant for moments, even next to intervals of higher-ranked devices', () => {
    const moment = fc
      .record({ second: fc.integer({ min: 0, max: 40 }).map((n) => n * 20), value: fc.integer({ min: 0, max: 9 }) })
      .map(({ second, value }) => ({ startMs: second * 1_000, endMs: second * 1_000, value }));
    const ofDevice = fc.tuple(
      fc.uniqueArray(moment, { maxLength: 12, selector: ({ startMs }) => startMs }),
      fc.array(anySample(cellSeconds), { maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(ofDevice, { minLength: 1, maxLength: 4 }), (devices) => {
        const counts = (device: number, { startMs }: Piece): boolean =>
          !devices
            .slice(0, device)
            .some(
              ([moments, intervals]) =>
                moments.some((other) => other.startMs === startMs) ||
                intervals.some((other) => other.startMs <= startMs && startMs < other.endMs),
            );
        const intervals = countBySecond(devices.map(([, own]) => own));
        const expected = devices.map(
          ([moments], device) => sumOf(moments.filter((each) => counts(device, each))) + (intervals[device] ?? 0),
        );
        shares(devices.map(([moments, own]) => [...moments, ...own])).forEach((share, device) => {
          expect(share).toBeCloseTo(expected[device] ?? Number.NaN, 3);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('stores a moment every minute in few pieces, and still counts it once if a higher-ranked device has it', () => {
    const minutely = (from: number, to: number) =>
      Array.from({ length: to - from }, (_none, at) => ({
        startMs: (from + at) * 60_000,
        endMs: (from + at) * 60_000,
        value: 2,
      }));
    const day = minutely(0, 1_440);
    expect(buildTimeline(day).pieces).toHaveLength(288);
    expect(shares([day, day])).toEqual([2_880, 0]);
    expect(shares([day, minutely(700, 703)])).toEqual([2_880, 0]);
    expect(shares([[...minutely(0, 719), ...minutely(724, 1_440)], day])).toEqual([2_870, 10]);
  });

  test('drops a moment within an interval of a higher-ranked device, and takes nothing from an interval for a moment', () => {
    const hour = { startMs: 0, endMs: 3_600_000, value: 100 };
    const moment = (startMs: number) => ({ startMs, endMs: startMs, value: 5 });
    expect(shares([[hour], [moment(0), moment(1_800_000), moment(3_600_000)]])).toEqual([100, 5]);
    expect(shares([[moment(1_800_000)], [hour]])).toEqual([5, 100]);
    expect(shares([[moment(7)], [moment(7), moment(600_000)]])).toEqual([5, 5]);
  });

  test('excludes hours that a higher-ranked device assigns to an adjacent day', () => {
    const walk = { startMs: 0, endMs: 600_000, value: 900 };
    const deviceShares = computeShares([
      { timeline: undefined, adjacentPieces: [{ startMs: 300_000, endMs: 900_000, value: 1 }] },
      { timeline: buildTimeline([walk]), adjacentPieces: [] },
    ]);
    expect(deviceShares).toEqual([undefined, 450]);
  });

  test('equals the total of the day to the last digit if everything is kept, however many digits there are', () => {
    const long = [0.1234567890123, 0.2345678901234].map((value, at) => ({ startMs: at, endMs: at + 1, value }));
    expect(shares([long])).toEqual([0.3580246791357]);
  });
});

describe('coverage', () => {
  test('and its gaps together make up the whole piece', () => {
    fc.assert(
      fc.property(fc.array(anySample(7)), anySample(7), (better, piece) => {
        const covered = new Coverage();
        covered.add(better);
        const gaps = covered.findGaps(piece);
        for (let ms = piece.startMs; ms < piece.endMs; ms += 7_000) {
          const isFree = !better.some(({ startMs, endMs }) => startMs <= ms && ms < endMs);
          expect(gaps.some(({ startMs, endMs }) => startMs <= ms && ms < endMs)).toBe(isFree);
        }
      }),
      { numRuns: 200 },
    );
  });
});
