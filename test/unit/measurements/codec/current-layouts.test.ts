// The bytes of version 1 of each layout. Any change of them is a new layout, which needs its own
// version byte.
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type MetricId, metricRow, toCanonical } from '../../../../shared/catalog/metrics.ts';
import { packEvents, unpackEvents } from '../../../../shared/events/event-page.ts';
import type { EventRow } from '../../../../shared/events/event-row.ts';
import { decodeCanonicalDay, encodeCanonicalDay } from '../../../../shared/measurements/codec/canonical-day.ts';
import {
  decodeNormalizedDay,
  emptyNormalizedRow,
  encodeNormalizedDay,
  type NormalizedRow,
  type NormalizedValue,
  packNormalizedRows,
  unpackNormalizedRows,
} from '../../../../shared/measurements/codec/normalized-day.ts';
import { packSamples, type StoredSample, unpackSamples } from '../../../../shared/measurements/codec/sample-block.ts';
import { packScores, unpackScores } from '../../../../shared/measurements/codec/score-day.ts';
import { packScoreNotes, unpackScoreNotes } from '../../../../shared/measurements/codec/score-notes.ts';
import { packStages, unpackStages } from '../../../../shared/measurements/codec/sleep-stages.ts';
import { type Piece, TimelineMap } from '../../../../shared/measurements/timeline.ts';
import { corruptAndReseal } from '../../platform/reseal.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Buffer.from(text, 'hex');

/**
 * The compressed bytes may change with Brotli releases; the header and the uncompressed bytes may
 * not.
 */
const checksumBytes = 2;
function inflate(packed: Uint8Array, head: number, tail = checksumBytes): string[] {
  const body = brotliDecompressSync(packed.subarray(head, packed.length - tail));
  return [packed.subarray(0, head), body].map(hex);
}

const utcDay = '2026-03-14';
const midnight = Date.parse(`${utcDay}T00:00:00Z`);

describe('a canonical day', () => {
  const day = new Map<MetricId, { value: number; source: number }>([
    ['steps', { value: 8_432, source: 1 }],
    ['heart_rate', { value: 61.5, source: 1 }],
  ]);
  test.each([
    ['of one source', day, '110401000040e006d10101cbb4'],
    ['without values', new Map(), '1100c6b6'],
  ])('%s keeps its bytes', (_which, contents, golden) => {
    expect(hex(encodeCanonicalDay(contents))).toBe(golden);
    expect(decodeCanonicalDay(bytes(golden))).toEqual(contents);
  });
});

describe('a normalized day', () => {
  const day = new Map([
    [
      0,
      new Map<MetricId, NormalizedValue>([
        ['steps', { value: 8_432.25, stated: true }],
        ['asleep', { value: 452, stated: true, original: { value: 27_120, unit: 's' } }],
      ]),
    ],
    [
      300,
      new Map<MetricId, NormalizedValue>([
        ['steps', { value: 7_911, stated: false }],
        ['heart_rate', { value: 74.33333333333333, stated: false }],
        ['weight', { value: 70.39759, stated: true, original: { value: 155.2, unit: 'lb' } }],
        ['fat', { value: 1e12 / 3, stated: false, original: { value: 1 / 3, unit: 'spoons' } }],
      ]),
    ],
  ]);

  test('without times keeps its bytes', () => {
    const golden =
      '210200620140e0062c01023202011f00e0a703ac02e80100004000200020b1012e8319000322c48891a2c488010551114253670dc15555550c021001000673706f6f6e73ff02a0183fd55555555555551072b4';
    expect(hex(encodeNormalizedDay(day))).toBe(golden);
    expect(decodeNormalizedDay(bytes(golden))).toEqual(day);
  });

  const piece = (from: number, to: number, value: number): Piece => ({
    startMs: midnight + from,
    endMs: midnight + to,
    value,
  });
  const minute = 60_000;
  const rowWithTimelines = (device: number, timelines: [MetricId, number, number, Piece[]][]): NormalizedRow => {
    const row = { ...emptyNormalizedRow(device), timelines: new TimelineMap() };
    for (const [metric, value, total, pieces] of timelines) {
      row.values[metricRow(metric).index] = value;
      row.timelines.set(metricRow(metric).index, { total, pieces });
    }
    return row;
  };
  const read = (rows: readonly NormalizedRow[]) =>
    rows.map(({ device, values, timelines }) => [device, [...values], [...(timelines ?? [])]]);

  test('with times keeps its bytes', () => {
    const rows = [
      rowWithTimelines(1, [
        ['steps', 900, 900, [piece(0, 5 * minute, 400), piece(10 * minute, 15 * minute, 500)]],
        ['distance', 1.5, 0.7, [piece(-90 * minute, 61_001, 0.7)]],
      ]),
      rowWithTimelines(2, []),
      rowWithTimelines(7, [
        ['steps', 1, 1 / 3, [piece(30_000, 30_000, 1 / 3)]],
        ['exercise', 3, 3, [piece(minute, 3 * minute, 1), piece(minute, 4 * minute, 2)]],
        ['active_calories', 2, 2, []],
      ]),
    ];
    const golden =
      '2103018103f76ed736000200078705000000000080fd7c49e30700026acc89981c0001010e12000305b40101103fd5555555555555026815000b2402010140a006c801040089a8cd02410e053c00103fd55555555555550a02030203400202038f6a';
    expect(hex(packNormalizedRows(rows))).toBe(golden);
    expect(read(unpackNormalizedRows(bytes(golden)))).toEqual(read(rows));
  });

  test('with many times, compressed, keeps its content', () => {
    const cells = Array.from({ length: 60 }, (_none, at) =>
      piece(at * 5 * minute, (at + 1) * 5 * minute, (at % 7) / 10),
    );
    const rows = [rowWithTimelines(0, [['distance', 17.7, 17.7, cells]])];
    const golden = '2101008102b8c6010001ad02808b981c02b801b801e2160080c0361868b5e6299ff8c69f429eea05730fa6b317241b';
    expect(read(unpackNormalizedRows(bytes(golden)))).toEqual(read(rows));
    const head = 21;
    expect(inflate(packNormalizedRows(rows), head)).toEqual(inflate(bytes(golden), head));
  });
});

describe('a block of samples', () => {
  const sample = (fromMs: number, toMs: number, value: number, more: Partial<StoredSample> = {}): StoredSample => ({
    startMs: midnight + fromMs,
    endMs: midnight + toMs,
    value,
    offsetMinutes: null,
    ...more,
  });
  const convertedFrom = (metric: MetricId, value: number, unit: string) => ({
    value: toCanonical(metric, value, unit) ?? 0,
    original: { value, unit },
  });
  const written: [string, MetricId, StoredSample[], string][] = [
    ['nothing', 'steps', [], '3100dcc002000200fe76'],
    [
      'whole minutes with two offsets',
      'steps',
      [
        sample(0, 60_000, 12, { offsetMinutes: 60 }),
        sample(60_000, 300_000, 40, { offsetMinutes: 60 }),
        sample(3_600_000, 3_600_000, 7, { offsetMinutes: -210 }),
      ],
      '3100dcc002030200013b0104000201780101a3030100000e052100cd12',
    ],
    [
      'whole seconds, in several units',
      'body_temperature',
      [
        sample(1_000, 2_000, 36.6),
        sample(5_000, 5_000, 0, convertedFrom('body_temperature', 97.7, '°F')),
        sample(9_000, 9_000, 0, convertedFrom('body_temperature', 98.6, '°F')),
        sample(11_000, 90_061_000, 36.7, { original: { value: 36.7, unit: 'spoons' } }),
        sample(11_000, 90_062_000, 36, { original: { value: 98.6, unit: '°F' } }),
      ],
      '3127dcc00205010104040200010000c2bf05c3bf05050004002d020673706f6f6e732e010002010102010341dc0541a20f1241de0541de0541b40f404899cd',
    ],
    [
      'milliseconds, with values between the steps',
      'heart_rate',
      [
        sample(1, 2, 60.1),
        sample(3, 3, 60.2),
        sample(4, 4, -0),
        sample(5, 5, 60.3),
        sample(6, 6, 60.25),
        sample(7, 7, 60.4),
        sample(8, 8, 60.5),
      ],
      '311edcc00207000102010101010101000000000000070001006201328000000000000000f45d1414091e142f73',
    ],
    [
      'values with endless decimals',
      'heart_rate',
      [sample(1, 1, 200 / 3), sample(2, 2, 100 / 3)],
      '311edcc002020001010000020001001040405040aaaaaaaaaaaaaaaaaaaaabab5fb3',
    ],
  ];
  test.each(written)('of %s keeps its bytes', (_which, metric, samples, golden) => {
    expect(hex(packSamples(metric, utcDay, samples))).toBe(golden);
    expect(unpackSamples(metric, utcDay, bytes(golden))).toEqual(samples);
  });

  test('that is compressed keeps its content', () => {
    const minutes = Array.from({ length: 120 }, (_none, at) => sample(at * 60_000, (at + 1) * 60_000, at % 7));
    const golden = '41f402622e0080800e6e7f1520df31826ab7000b7940f1e718f90a0290ab67033ead';
    expect(unpackSamples('steps', utcDay, bytes(golden))).toEqual(minutes);
    const head = 3;
    expect(inflate(packSamples('steps', utcDay, minutes), head)).toEqual(inflate(bytes(golden), head));
  });
});

test('a page of events keeps its content', () => {
  const events: EventRow[] = [
    { id: 'evt_1', type: 'user.created', atMs: midnight, user: 'usr_1' },
    {
      id: 'evt_2',
      type: 'subject.synced',
      atMs: midnight + 1,
      user: 'usr_1',
      metrics: ['steps'],
      more: { from_date: '2026-03-13', to_date: '2026-03-14' },
    },
  ];
  const golden =
    '711be1000004225857ea93f7c4d02f24002f3c3dd7965a6b492d90005b9460c4c181afb7eb0dcbe3f35958722ecff8cbd810d23e6eb981a07c21635582abf00f84f2165d090dcfb36cdbb5f530c131fc78c90dfe520c9832da46bdbeb7da31e32eaceded32d657c29885d69554f86011e1177e9a530d42eebc29baa51856d3794fa5cdff9f02';
  expect(unpackEvents(bytes(golden))).toEqual(events);
  expect(inflate(packEvents(events), 1, 0)).toEqual(inflate(bytes(golden), 1, 0));
});

describe('a version that this release does not know', () => {
  test.each<[string, Uint8Array, (stored: Uint8Array) => unknown]>([
    ['a canonical day', encodeCanonicalDay(new Map()), decodeCanonicalDay],
    ['a normalized day', encodeNormalizedDay(new Map()), decodeNormalizedDay],
    ['a block of samples', packSamples('steps', utcDay, []), (stored) => unpackSamples('steps', utcDay, stored)],
    ['a day of scores', packScores(new Map()), unpackScores],
    ['the notes on scores', packScoreNotes(new Map()), unpackScoreNotes],
    ['a page of events', packEvents([]), unpackEvents],
  ])('of %s is rejected, and the error names it', (_which, packed, read) => {
    const [version = 0] = packed;
    const hasChecksum = packed.length > 1;
    const newer = hasChecksum ? corruptAndReseal(packed, 0, version + 1) : Uint8Array.of(version + 1);
    expect(() => read(packed)).not.toThrow();
    expect(() => read(newer)).toThrow(`layout ${version + 1}, which this release does not know`);
  });
});

test('the stages of a night', () => {
  const stages = [
    { stage: 'light', startMs: midnight, endMs: midnight + 1_500_000 },
    { stage: 'awake', startMs: midnight + 1_500_000, endMs: midnight + 1_530_500 },
    { stage: 'deep', startMs: midnight + 1_600_000, endMs: midnight + 2_500_000 },
    { stage: 'rem', startMs: midnight + 2_500_000, endMs: midnight + 2_600_000 },
    { stage: 'asleep', startMs: midnight + 2_600_000, endMs: midnight + 2_700_000 },
    { stage: 'out_of_bed', startMs: midnight + 2_700_000, endMs: midnight + 2_800_000 },
    { stage: 'unknown', startMs: midnight + 2_800_000, endMs: midnight + 2_900_000 },
  ] as const;
  const text = '1l1500a30.5_69.5d900r100s100o100u100';
  expect(packStages(midnight, stages)).toBe(text);
  expect(unpackStages(midnight, text)).toEqual(stages);
});
