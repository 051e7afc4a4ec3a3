// A day's highest heart rate. Many watches leave training out of the continuous heart rate.
import { expect, test } from 'vitest';
import { normalized, page } from './pages.ts';
import { exercise, exerciseInFull, heartRates } from './payloads.ts';

const at = (text: string): number => Date.parse(text);
const beats = page('heart_rate', { heart_rates: [heartRates] });
const highest = (pages: Parameters<typeof normalized>[0], more: Parameters<typeof normalized>[1] = {}) =>
  normalized(pages, more)
    .records.samples.filter(({ metric }) => metric === 'max_heart_rate')
    .map(({ startMs, endMs, value }) => [startMs, endMs, value]);

test('the day and its workouts have separate samples, one per quarter of an hour, and no daily value', () => {
  const workouts = [page('exercises', [exercise]), page('exercise', exerciseInFull, 'k3Zq9w')];
  const ofDay = [
    [at('2026-03-10T22:03:10Z'), at('2026-03-10T22:03:10Z'), 58],
    [at('2026-03-11T15:30:00Z'), at('2026-03-11T15:30:00Z'), 97],
  ];
  // 168 is the stated maximum, and the trace peaks ten seconds after the start.
  const ofWorkout = [at('2026-03-11T15:20:15Z'), at('2026-03-11T15:20:15Z'), 168];
  expect(highest([beats, ...workouts])).toEqual([...ofDay, ofWorkout]);
  expect(highest([beats])).toEqual(ofDay);
  expect(highest(workouts)).toEqual([ofWorkout]);
  expect(normalized([beats, ...workouts]).records.daily).toEqual([]);
});

test('a workout without a trace counts over its span', () => {
  const startMs = at('2026-03-11T15:20:05Z');
  expect(highest([page('exercises', [exercise])])).toEqual([[startMs, startMs + 3_723_500, 168]]);
});

test('a workout without a measured heart rate adds nothing to the day', () => {
  expect(highest([page('exercises', [{ ...exercise, heart_rate: { average: 0, maximum: 0 } }])])).toEqual([]);
  expect(highest([page('exercises', [{ ...exercise, heart_rate: null }])])).toEqual([]);
  expect(highest([page('exercises', [{ ...exercise, heart_rate: { maximum: 255 } }])])).toEqual([]);
});

test('a workout past midnight has a maximum on each day, in the window of that day', () => {
  const late = { ...exercise, start_time: '2026-03-11T23:50:00', duration: 'PT20M' };
  const trace = { 'recording-rate': 300, 'sample-type': '0', data: '120,131,150,149' };
  const pages = [page('exercises', [late]), page('exercise', { ...late, samples: [trace] }, 'k3Zq9w')];
  const before = [at('2026-03-11T21:55:00Z'), at('2026-03-11T21:55:00Z'), 131];
  // The overall maximum, at midnight in Helsinki, is the stated one.
  const after = [at('2026-03-11T22:00:00Z'), at('2026-03-11T22:00:00Z'), 168];
  expect(highest(pages)).toEqual([before, after]);
  expect(highest(pages, { window: { from: '2026-03-11', to: '2026-03-11' } })).toEqual([before]);
  expect(highest(pages, { window: { from: '2026-03-12', to: '2026-03-12' } })).toEqual([after]);
});

test('implausible values do not count toward the maximum', () => {
  const odd = [255, 500, 0].map((heart_rate, minute) => ({ heart_rate, sample_time: `12:0${minute}:00` }));
  const day = { ...heartRates, heart_rate_samples: [...heartRates.heart_rate_samples, ...odd] };
  const trace = { 'recording-rate': 5, 'sample-type': '0', data: '98,255,101' };
  const own = { ...exercise, heart_rate: null, samples: [trace] };
  const values = highest([page('heart_rate', day), page('exercises', [own])]).map(([, , value]) => value);
  expect(values).toEqual([58, 97, 101]);
});

test('it is covered only when both resources were read in full', () => {
  const claimed = (...pages: Parameters<typeof normalized>[0]) =>
    normalized(pages).records.covered?.some(({ samples }) => samples?.includes('max_heart_rate'));
  expect(claimed(beats, page('exercises', ''))).toBe(true);
  expect(claimed(beats)).toBe(false);
  expect(claimed(page('exercises', [exercise]))).toBe(false);
});

test('trace points after the end of the workout are ignored', () => {
  const short = { ...exercise, duration: 'PT10S', heart_rate: null };
  const trace = { 'recording-rate': 5, 'sample-type': '0', data: '98,101,99,180' };
  const values = highest([page('exercises', [{ ...short, samples: [trace] }])]).map(([, , value]) => value);
  expect(values).toEqual([101]);
});
