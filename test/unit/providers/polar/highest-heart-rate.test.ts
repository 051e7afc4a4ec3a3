// A day's highest heart rate: many watches leave training out of the continuous heart rate.
import { expect, test } from 'vitest';
import { normalized, page } from './pages.ts';
import { exercise, exerciseInFull, heartRates } from './payloads.ts';

const at = (text: string): number => Date.parse(text);
const beats = page('heart_rate', { heart_rates: [heartRates] });
const highest = (pages: Parameters<typeof normalized>[0], more: Parameters<typeof normalized>[1] = {}) =>
  normalized(pages, more)
    .records.samples.filter(({ metric }) => metric === 'max_heart_rate')
    .map(({ startMs, endMs, value }) => [startMs, endMs, value]);

test('the day and its workouts have samples of their own, one a quarter of an hour, and nothing is stated of the day', () => {
  const workouts = [page('exercises', [exercise]), page('exercise', exerciseInFull, 'k3Zq9w')];
  const ofDay = [
    [at('2026-03-10T22:03:10Z'), at('2026-03-10T22:03:10Z'), 58],
    [at('2026-03-11T15:30:00Z'), at('2026-03-11T15:30:00Z'), 97],
  ];
  // 168 is stated, and the trace is highest ten seconds after the start.
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

test('a workout whose heart was not measured says nothing of the day', () => {
  expect(highest([page('exercises', [{ ...exercise, heart_rate: { average: 0, maximum: 0 } }])])).toEqual([]);
  expect(highest([page('exercises', [{ ...exercise, heart_rate: null }])])).toEqual([]);
  expect(highest([page('exercises', [{ ...exercise, heart_rate: { maximum: 255 } }])])).toEqual([]);
});

test('a workout past midnight has a highest on each day, which the window of that day tells', () => {
  const late = { ...exercise, start_time: '2026-03-11T23:50:00', duration: 'PT20M' };
  const trace = { 'recording-rate': 300, 'sample-type': '0', data: '120,131,150,149' };
  const pages = [page('exercises', [late]), page('exercise', { ...late, samples: [trace] }, 'k3Zq9w')];
  const before = [at('2026-03-11T21:55:00Z'), at('2026-03-11T21:55:00Z'), 131];
  // The highest of all, at midnight in Helsinki, is the one that is stated.
  const after = [at('2026-03-11T22:00:00Z'), at('2026-03-11T22:00:00Z'), 168];
  expect(highest(pages)).toEqual([before, after]);
  expect(highest(pages, { window: { from: '2026-03-11', to: '2026-03-11' } })).toEqual([before]);
  expect(highest(pages, { window: { from: '2026-03-12', to: '2026-03-12' } })).toEqual([after]);
});

test('values that no heart has are no maximum', () => {
  const odd = [255, 500, 0].map((heart_rate, minute) => ({ heart_rate, sample_time: `12:0${minute}:00` }));
  const day = { ...heartRates, heart_rate_samples: [...heartRates.heart_rate_samples, ...odd] };
  const trace = { 'recording-rate': 5, 'sample-type': '0', data: '98,255,101' };
  const own = { ...exercise, heart_rate: null, samples: [trace] };
  const values = highest([page('heart_rate', day), page('exercises', [own])]).map(([, , value]) => value);
  expect(values).toEqual([58, 97, 101]);
});

test('it is claimed only where both were answered in full', () => {
  const claimed = (...pages: Parameters<typeof normalized>[0]) =>
    normalized(pages).records.covered?.some(({ samples }) => samples?.includes('max_heart_rate'));
  expect(claimed(beats, page('exercises', ''))).toBe(true);
  expect(claimed(beats)).toBe(false);
  expect(claimed(page('exercises', [exercise]))).toBe(false);
});

test('a trace that goes on after the workout says nothing of the day', () => {
  const short = { ...exercise, duration: 'PT10S', heart_rate: null };
  const trace = { 'recording-rate': 5, 'sample-type': '0', data: '98,101,99,180' };
  const values = highest([page('exercises', [{ ...short, samples: [trace] }])]).map(([, , value]) => value);
  expect(values).toEqual([101]);
});
