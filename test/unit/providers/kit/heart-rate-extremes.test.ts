import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { todayIn } from '../../../../shared/platform/time/local-day.ts';
import { addHeartRateExtremes, type HeartRateReading } from '../../../../shared/providers/kit/heart-rate-extremes.ts';
import { isPlausibleHeartRate, RecordBuilder } from '../../../../shared/providers/kit/record-builder.ts';

const receivedMs = Date.parse('2026-03-31T12:00:00Z');
const startMs = Date.parse('2026-03-27T00:00:00Z');
const beat = (secondsIn: number, bpm: number): HeartRateReading => ({
  path: `beats.${secondsIn}`,
  startMs: startMs + secondsIn * 1000,
  bpm,
  offsetMinutes: null,
});

function extremesOf(beats: readonly HeartRateReading[], ...more: [] | [readonly ['max_heart_rate']]) {
  const builder = new RecordBuilder({ receivedMs });
  addHeartRateExtremes(builder, beats, ...more);
  return builder.result.records.samples;
}

describe('the lowest and the highest heart rate', () => {
  test('are taken from each quarter of an hour, at the times of measurement', () => {
    const samples = extremesOf([beat(0, 60), beat(300, 71), beat(899, 55), beat(900, 90)]);
    expect(samples.map((each) => [each.metric, (each.startMs - startMs) / 1000, each.value])).toEqual([
      ['min_heart_rate', 899, 55],
      ['max_heart_rate', 300, 71],
      ['min_heart_rate', 900, 90],
      ['max_heart_rate', 900, 90],
    ]);
  });

  test('are taken from plausible values only, without rejecting the others', () => {
    const builder = new RecordBuilder({ receivedMs });
    addHeartRateExtremes(builder, [beat(0, 255), beat(1, 0), beat(2, 500), beat(3, 62)]);
    expect(builder.result.records.samples.map(({ value }) => value)).toEqual([62, 62]);
    expect(builder.result.rejected.count).toBe(0);
  });

  test('can be requested separately', () => {
    expect(extremesOf([beat(0, 60)], ['max_heart_rate']).map(({ metric }) => metric)).toEqual(['max_heart_rate']);
  });

  const beats = fc.array(
    fc.record({ at: fc.nat(4 * 86_400), bpm: fc.integer({ min: 0, max: 320 }) }).map(({ at, bpm }) => beat(at, bpm)),
    { maxLength: 60 },
  );
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Pacific/Chatham', 'America/St_Johns');

  test('of a day are among the samples in any zone, also when clocks change', () => {
    const byDay = <Item extends { startMs: number }>(items: readonly Item[], zone: string) =>
      Map.groupBy(items, (each) => todayIn(zone, each.startMs));
    fc.assert(
      fc.property(beats, zones, (input, zone) => {
        const samples = extremesOf(input);
        const measured = input.filter(({ bpm }) => isPlausibleHeartRate(bpm));
        const reported = byDay(samples, zone);
        const expected = byDay(measured, zone);
        expect([...reported.keys()].sort()).toEqual([...expected.keys()].sort());
        for (const [date, ofDay] of expected) {
          const valuesOf = (metric: string) =>
            (reported.get(date) ?? []).filter((each) => each.metric === metric).map(({ value }) => value);
          const rates = ofDay.map(({ bpm }) => bpm);
          expect(Math.min(...valuesOf('min_heart_rate'))).toBe(Math.min(...rates));
          expect(Math.max(...valuesOf('max_heart_rate'))).toBe(Math.max(...rates));
        }
      }),
    );
  });

  test('are the same samples in any order of the heart rates', () => {
    const apart = fc.uniqueArray(fc.record({ at: fc.nat(7200), bpm: fc.integer({ min: 40, max: 50 }) }), {
      selector: ({ at }) => at,
      maxLength: 40,
    });
    fc.assert(
      fc.property(apart, fc.nat(), (input, turn) => {
        const inOrder = input.map(({ at, bpm }) => beat(at, bpm));
        const cut = input.length === 0 ? 0 : turn % input.length;
        const turned = [...inOrder.slice(cut), ...inOrder.slice(0, cut)].reverse();
        expect(extremesOf(turned)).toEqual(extremesOf(inOrder));
      }),
    );
  });
});
