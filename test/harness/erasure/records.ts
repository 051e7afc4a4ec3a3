// Sample records for the days around March 10.
import type { StoredSample } from '../../../shared/measurements/codec/sample-block.ts';
import { randomFrom } from '../faults.ts';
import { personalData } from './world.ts';

export const watch = { name: personalData.deviceName, model: 'W1', type: 'wrist' };
export const phoneDevice = { name: personalData.deviceName, model: 'P1', type: 'phone' };

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const march10Ms = Date.UTC(2026, 2, 10);
const iso = (ms: number): string => new Date(ms).toISOString();

/** Steps and a heart rate on each day, with a daily total, a night and a run on the first. */
export function makeRecords(days: number, more = 0): object {
  const noons = Array.from({ length: days }, (_none, day) => march10Ms + day * dayMs + 12 * 60 * minuteMs);
  return {
    samples: noons.flatMap((noon) => [
      { metric: 'steps', start: iso(noon), end: iso(noon + 10 * minuteMs), value: 900 + more, unit: 'count' },
      { metric: 'heart_rate', start: iso(noon), value: 70 + more, unit: 'count/min' },
    ]),
    daily: [{ metric: 'active_calories', date: '2026-03-10', value: 400 + more, unit: 'kcal' }],
    sleep: [
      { start: iso(march10Ms - 60 * minuteMs), end: iso(march10Ms + 7 * 60 * minuteMs), asleep_minutes: 420 + more },
    ],
    workouts: [makeRun(20, more)],
  };
}

const makeRun = (points: number, more: number): object => ({
  type: 'running',
  start: iso(march10Ms + 15 * 60 * minuteMs),
  end: iso(march10Ms + 16 * 60 * minuteMs),
  heart_rate: Array.from({ length: points }, (_none, at) => ({
    timestamp: iso(march10Ms + 15 * 60 * minuteMs + at * 1_000),
    bpm: 100 + ((at * 7 + more) % 80),
  })),
});

/** Heart rates dense and precise enough that a day of them exceeds the size of a table item. */
export function denseDay(seed: number): StoredSample[] {
  const random = randomFrom(seed);
  return Array.from({ length: 46_000 }, (_none, at) => {
    const startMs = march10Ms + at * 1_800 + Math.floor(random() * 1_000);
    return {
      startMs,
      endMs: startMs,
      value: 40 + random() * 100 + random() / 1_000,
      offsetMinutes: null,
    };
  });
}

/** A run whose trace exceeds the size of a table item. */
export function denseRun(): object {
  const random = randomFrom(2);
  let atMs = march10Ms;
  const heart_rate = Array.from({ length: 72_000 }, () => {
    atMs += 1 + Math.floor(random() * 800);
    return { timestamp: iso(atMs), bpm: 40 + Math.floor(random() * 160) };
  });
  return { workouts: [{ type: 'running', start: iso(march10Ms), end: iso(march10Ms + dayMs), heart_rate }] };
}
