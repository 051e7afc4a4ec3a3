import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  emptyNormalizedRow,
  type NormalizedRow,
  packNormalizedRows,
  unpackNormalizedRows,
} from '../../../../shared/measurements/codec/normalized-day.ts';
import { PackedTimelines } from '../../../../shared/measurements/codec/packed-timelines.ts';
import { type Piece, type Timeline, TimelineMap } from '../../../../shared/measurements/timeline.ts';
import { ByteWriter, UnreadableData } from '../../../../shared/platform/bytes.ts';
import { corruptAndReseal } from '../../platform/reseal.ts';
import { anyValue } from './arbitrary-values.ts';
import { uniformly } from './seeded-random.ts';

const midnight = Date.parse('2026-03-14T00:00:00Z');
const cellMs = 300_000;

const anyPiece: fc.Arbitrary<Piece> = fc
  .tuple(
    fc.constantFrom(1, 1_000, 60_000, cellMs),
    fc.oneof(fc.nat({ max: 300 }), fc.integer({ min: -100_000, max: 100_000 })),
    fc.oneof(fc.constant(0), fc.nat({ max: 300 })),
    anyValue,
  )
  .map(([unit, start, lasting, value]) => ({
    startMs: midnight + start * unit,
    endMs: midnight + (start + lasting) * unit,
    value,
  }));
const anyTimeline: fc.Arbitrary<Timeline> = fc.record({
  total: anyValue,
  pieces: fc
    .array(anyPiece, { maxLength: 60 })
    .map((pieces) => pieces.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)),
});

/** The value of a metric and its timeline, whose total often equals the value. */
const anyEntry = fc.record({
  index: fc.nat({ max: 68 }),
  value: anyValue,
  same: fc.boolean(),
  timeline: fc.option(anyTimeline),
});
const anyRow: fc.Arbitrary<NormalizedRow> = fc
  .uniqueArray(anyEntry, { selector: ({ index }) => index, maxLength: 7 })
  .map((entries) => {
    const row = emptyNormalizedRow(0);
    const timelines = new TimelineMap();
    for (const { index, value, same, timeline } of entries.sort((a, b) => a.index - b.index)) {
      row.values[index] = value;
      if (timeline !== null) timelines.set(index, same ? { ...timeline, total: value } : timeline);
    }
    return { ...row, timelines };
  });
const anyDay = fc
  .array(anyRow, { maxLength: 4 })
  .map((rows) => rows.map((row, device) => ({ ...row, device: device * 3 })));

const listTimelines = (row: NormalizedRow | undefined) => [...(row?.timelines ?? [])];

function oneRow(pieces: readonly Piece[], total = 8_000): NormalizedRow {
  const row = emptyNormalizedRow(2);
  row.values[0] = 8_000;
  row.timelines = new TimelineMap([[0, { total, pieces }]]);
  return row;
}

const cells = (count: number, value: () => number, every = 1): Piece[] =>
  Array.from({ length: count }, (_, at) => {
    const startMs = midnight + at * every * cellMs;
    return { startMs, endMs: startMs + cellMs, value: value() };
  });

describe('the timelines of a packed day', () => {
  test('decode to exactly what was encoded', () => {
    fc.assert(
      fc.property(anyDay, (rows) => {
        const read = unpackNormalizedRows(packNormalizedRows(rows));
        expect(read.map(listTimelines)).toEqual(rows.map(listTimelines));
        for (const [at, row] of rows.entries()) {
          expect(read[at]?.timelines?.size ?? 0).toBe(row.timelines?.size);
          for (const [index, timeline] of row.timelines ?? []) {
            expect(read[at]?.timelines?.has(index)).toBe(true);
            expect(read[at]?.timelines?.get(index)).toEqual(timeline);
          }
          const span = row.timelines?.span;
          const readSpan = read[at]?.timelines?.span;
          expect(readSpan === undefined).toBe(span === undefined);
          if (span === undefined || readSpan === undefined) continue;
          expect(span.startMs - readSpan.startMs).toBeLessThan(60_000);
          expect(readSpan.startMs).toBeLessThanOrEqual(span.startMs);
          expect(readSpan.endMs - span.endMs).toBeLessThan(60_000);
          expect(readSpan.endMs).toBeGreaterThanOrEqual(span.endMs);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('have the same bytes whether they were never read, read or rebuilt', () => {
    fc.assert(
      fc.property(anyDay, (rows) => {
        const bytes = packNormalizedRows(rows);
        const unread = unpackNormalizedRows(bytes);
        expect(packNormalizedRows(unread)).toEqual(bytes);
        expect(
          packNormalizedRows(unread.map((row) => ({ ...row, timelines: new TimelineMap(row.timelines) }))),
        ).toEqual(bytes);
        const rebuilt = unread.map((row, at) =>
          at === 0 ? { ...row, timelines: new TimelineMap(row.timelines) } : row,
        );
        expect(packNormalizedRows(rebuilt)).toEqual(bytes);
        expect(packNormalizedRows(unread.slice(1))).toEqual(packNormalizedRows(rows.slice(1)));
      }),
      { numRuns: 200 },
    );
  });

  test('that were never read follow their device: removed, renumbered, or next to those of another day', () => {
    const ofTwo = (later: number): NormalizedRow[] => [
      { ...oneRow(cells(40, () => 1)), device: 0 },
      { ...oneRow(cells(40, () => later)), device: 3 },
    ];
    const unread = (later: number) => unpackNormalizedRows(packNormalizedRows(ofTwo(later)));
    const [first, second] = unread(2);
    const [, other] = unread(3);
    if (!first || !second || !other) throw new Error('no rows');
    const rebuildAndPack = (rows: readonly NormalizedRow[]) => {
      const rebuilt = rows.map((row) => ({ ...row, timelines: new TimelineMap(row.timelines) }));
      expect(packNormalizedRows(rows)).toEqual(packNormalizedRows(rebuilt));
    };
    rebuildAndPack([first]);
    rebuildAndPack([second]);
    rebuildAndPack([
      { ...first, device: 3 },
      { ...second, device: 0 },
    ]);
    rebuildAndPack([first, other]);
  });

  test('leave a day without any unchanged', () => {
    const row = oneRow([]);
    const without = packNormalizedRows([{ ...row, timelines: undefined }]);
    expect(packNormalizedRows([{ ...row, timelines: new TimelineMap() }])).toEqual(without);
    expect(unpackNormalizedRows(without)[0]?.timelines).toBeUndefined();
  });

  test('do not leak into a reused row', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (first, second) => {
        const reuse = unpackNormalizedRows(packNormalizedRows(first));
        const rows = unpackNormalizedRows(packNormalizedRows(second), reuse);
        expect(rows.map(listTimelines)).toEqual(second.map(listTimelines));
      }),
    );
    const reuse = unpackNormalizedRows(packNormalizedRows([oneRow(cells(3, () => 1))]));
    const untimed = packNormalizedRows([{ ...oneRow([]), timelines: undefined }]);
    expect(unpackNormalizedRows(untimed, reuse).map(listTimelines)).toEqual([[]]);
  });

  test('keep their total when the value of their metric changes', () => {
    const [row] = unpackNormalizedRows(packNormalizedRows([oneRow(cells(30, () => 7))]));
    if (row === undefined) throw new Error('no row');
    row.values[0] = 9_000;
    const [after] = unpackNormalizedRows(packNormalizedRows([row]));
    expect(after?.timelines?.get(0)?.total).toBe(8_000);
    expect(after?.values[0]).toBe(9_000);
  });

  test('are neither decompressed nor decoded before they are accessed', () => {
    const bytes = packNormalizedRows([oneRow(cells(288, () => 7))]);
    const broken = corruptAndReseal(bytes, bytes.length - 6, (bytes[bytes.length - 6] ?? 0) ^ 0xff);
    const timelines = unpackNormalizedRows(broken)[0]?.timelines;
    expect(timelines).toBeInstanceOf(PackedTimelines);
    expect([timelines?.size, timelines?.has(0), timelines?.has(1), timelines?.get(1)]).toEqual([
      1,
      true,
      false,
      undefined,
    ]);
    expect(timelines?.span).toEqual({ startMs: midnight, endMs: midnight + 288 * cellMs });
    expect(() => timelines?.get(0)).toThrow(UnreadableData);
  });

  test('are small', () => {
    const uniform = uniformly(12_345);
    const between = (min: number, max: number, decimals: number) =>
      Number((min + uniform() * (max - min)).toFixed(decimals));
    const bytesOf = (pieces: readonly Piece[]) => {
      const row = oneRow(pieces);
      return packNormalizedRows([row]).length - packNormalizedRows([{ ...row, timelines: undefined }]).length;
    };
    const steps = () => Math.floor(uniform() ** 2 * 500);
    expect(bytesOf(cells(100, steps))).toBeLessThan(175);
    expect(bytesOf(cells(100, steps, 2))).toBeLessThan(175);
    expect(bytesOf(cells(288, () => between(5.8, 6, 3)))).toBeLessThan(375);
    expect(bytesOf(cells(288, () => between(5, 25, 3)))).toBeLessThan(660);
    expect(bytesOf(cells(288, () => between(5, 25, 6)))).toBeLessThan(1_070);
    expect(bytesOf(cells(288, () => 6 + uniform() + uniform() * 1e-9))).toBeLessThan(2_150);
    expect(bytesOf(cells(1, () => 7))).toBeLessThan(18);
  });

  const piece: Piece = { startMs: midnight, endMs: midnight + 1, value: 1 };
  test.each<[string, Piece[]]>([
    ['an end before the start', [{ ...piece, endMs: midnight - 1 }]],
    ['half a millisecond', [{ ...piece, startMs: midnight + 0.5 }]],
    ['a start that is not a number', [{ ...piece, startMs: Number.NaN }]],
    ['an infinite end', [{ ...piece, endMs: Number.POSITIVE_INFINITY }]],
    ['an infinite value', [{ ...piece, value: Number.POSITIVE_INFINITY }]],
    ['pieces out of order', [{ ...piece, endMs: midnight + 2 }, piece]],
  ])('reject %s', (_, pieces) => {
    expect(() => packNormalizedRows([oneRow(pieces)])).toThrow(RangeError);
  });

  test('reject a total that is not a number, and a metric without a value', () => {
    expect(() => packNormalizedRows([oneRow([piece], Number.NaN)])).toThrow(RangeError);
    const row = oneRow([piece]);
    row.values[0] = Number.NaN;
    expect(() => packNormalizedRows([row])).toThrow(RangeError);
  });

  test('may contain the same piece twice', () => {
    const [row] = unpackNormalizedRows(packNormalizedRows([oneRow([piece, piece])]));
    expect(row?.timelines?.get(0)?.pieces).toEqual([piece, piece]);
  });

  test('with damage that passes the checksum are an error or another timeline, never a hang or a flood', () => {
    const uniform = uniformly(5);
    for (const count of [4, 60]) {
      const bytes = packNormalizedRows([oneRow(cells(count, () => uniform()))]);
      for (let at = 1; at < bytes.length - 2; at++) {
        for (const wrong of [0x00, 0x7f, 0x80, 0xff]) {
          try {
            const pieces = unpackNormalizedRows(corruptAndReseal(bytes, at, wrong))
              .flatMap(listTimelines)
              .map(([, timeline]) => timeline.pieces);
            expect(pieces.flat().length).toBeLessThanOrEqual(10 * bytes.length);
          } catch (error) {
            expect(error).toBeInstanceOf(UnreadableData);
          }
        }
      }
    }
  });

  test('with pieces but without a span are an error', () => {
    const day = (hasSpan: 0 | 1, ...span: number[]) => {
      const writer = new ByteWriter().start(0x21);
      const pieces = [4, 0, 1, 0x40, 2];
      for (const byte of [1, 0, 1, 1, 0, 1, hasSpan, ...span, 0, pieces.length, 0, ...pieces]) writer.byte(byte);
      return writer.finish();
    };
    expect(unpackNormalizedRows(day(1, 0)).flatMap(listTimelines)).toEqual([
      [0, { total: 8_000, pieces: [{ startMs: 0, endMs: 1, value: 1 }] }],
    ]);
    expect(() => unpackNormalizedRows(day(0)).flatMap(listTimelines)).toThrow(UnreadableData);
  });

  test('allocate no memory for a stated length of gigabytes', () => {
    const writer = new ByteWriter().start(0x21);
    for (const byte of [1, 0, 1, 1, 0, 1, 1, 0, 0]) writer.byte(byte);
    writer.wideVarint(2 ** 40);
    writer.wideVarint(2 ** 40);
    writer.raw(new Uint8Array(20));
    const read = () => unpackNormalizedRows(writer.finish()).map(listTimelines);
    expect(read).toThrow(UnreadableData);
  });
});
