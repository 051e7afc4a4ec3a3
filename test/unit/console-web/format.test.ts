import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chooseLocales,
  formatClock,
  formatExactTime,
  formatHour,
  formatLocalClock,
  formatMinutes,
  formatMoment,
  formatPercent,
  formatRelativeTime,
  formatValue,
  growsDuringTheDay,
  isGrowingScore,
  nameOfProvider,
  nameOfWorkoutType,
  sayDay,
} from '../../../functions/api/console/web/state/format.ts';
import { metricCatalog } from '../../../shared/catalog/data-catalog.ts';
import { scoreTable } from '../../../shared/catalog/score-table.ts';
import { workoutTypeCatalog } from '../../../shared/catalog/workout-type-catalog.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';

const nowMs = Date.parse('2026-03-12T08:00:00Z');
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
const say = (offsetMs: number): string => formatRelativeTime(new Date(nowMs + offsetMs), nowMs);

test.each([
  ['a key of 90 days', 90 * day - 3 * second, 'in 90 days'],
  ['a link of twelve hours', 12 * hour - 2 * second, 'in 12 hours'],
  ['a key of a year', 365 * day - minute, 'in 12 months'],
  ['a link of ten minutes', 10 * minute - 4 * second, 'in 10 minutes'],
  ['a sync of this moment', -4 * second, 'just now'],
  ['a clock that is a little ahead', 4 * second, 'now'],
  ['a sync of half a minute ago', -35 * second, '1 minute ago'],
  ['almost an hour ago', -59.6 * minute, '1 hour ago'],
  ['thirty hours ago, which need not be yesterday', -30 * hour, '30 hours ago'],
  ['three days ago', -3 * day, '3 days ago'],
])('%s is said as it is', (_what, offsetMs, said) => expect(say(offsetMs)).toBe(said));

const lengths: Readonly<Record<string, number>> = {
  minute,
  hour,
  day,
  month: 30.44 * day,
  year: 365.25 * day,
};

test('a relative time differs from the time by half of its unit at most, and has the right direction', () => {
  fc.assert(
    fc.property(fc.integer({ min: -4_000 * day, max: 4_000 * day }), (offsetMs) => {
      const said = say(offsetMs);
      if (said === 'now' || said === 'just now') return Math.abs(offsetMs) < 30 * second;
      const [, future, count = '', unit = ''] = /^(in )?(\d+) (\w+?)s?(?: ago)?$/.exec(said) ?? [];
      const length = lengths[unit] ?? Number.NaN;
      const isNear = Math.abs(Number(count) * length - Math.abs(offsetMs)) <= length / 2 + second;
      return isNear && (future !== undefined) === offsetMs > 0;
    }),
  );
});

test('every time of day is on a clock of 24 hours', () => {
  const evening = new Date('2026-03-12T20:05:00Z');
  expect(formatClock(evening, 'UTC')).toBe('20:05');
  expect(formatClock(new Date('2026-03-12T00:05:00Z'), 'UTC')).toBe('00:05');
  expect(formatLocalClock('2026-03-12T20:05:00')).toBe('20:05');
  for (let at = 0; at < 24; at += 1) {
    const time = new Date(nowMs + at * hour);
    for (const text of [formatExactTime(time), formatMoment(time), formatHour(time), formatHour(time, 'clock')])
      expect(text).not.toMatch(/\b[ap]\.?m\b/i);
  }
});

test('dates are in the English of the reader’s region, and in no other language than the words', () => {
  expect(chooseLocales(['en-US', 'de'])[0]).toBe('en-US');
  expect(chooseLocales(['de-DE', 'en-AU', 'en'])[0]).toBe('en-AU');
  expect(chooseLocales(['de-DE', 'fr'])).toEqual(['en-GB']);
});

test('values have the precision and the unit of their metric', () => {
  expect(formatValue(65.7, { unit: 'bpm', precision: 1 })).toBe('65.7 bpm');
  expect(formatValue(97.5, { unit: '%', precision: 1 })).toBe('97.5%');
  expect(formatValue(8_421, { unit: 'count', precision: 0 })).toBe('8,421');
  expect(formatValue(425, { unit: 'min', precision: 0 })).toBe('7 h 05 min');
  expect(formatMinutes(59.7)).toBe('1 h 00 min');
  expect(formatPercent(0.934)).toBe('93%');
});

test('only what grows until midnight is said to be so far', () => {
  const growing = metricCatalog.metrics.filter(growsDuringTheDay).map(({ id }) => id);
  expect(growing).toEqual(expect.arrayContaining(['steps', 'active_calories', 'water']));
  for (const id of ['resting_heart_rate', 'asleep', 'weight', 'heart_rate_variability', 'max_heart_rate'])
    expect(growing).not.toContain(id);
  for (const { id, provisionalUntilMidnight } of scoreTable) expect(isGrowingScore(id)).toBe(provisionalUntilMidnight);
  expect(sayDay('2026-03-12', '2026-03-12', true)).toBe('today so far');
  expect(sayDay('2026-03-12', '2026-03-12', false)).toBe('today');
  expect(sayDay('2026-03-11', '2026-03-12', true)).toMatch(/^on (11 Mar|Mar 11)$/);
});

test('providers and workouts have the names that the API gives them', () => {
  for (const { id, name } of Object.values(providerDescriptors)) expect(nameOfProvider(id)).toBe(name);
  for (const { id, display_name } of workoutTypeCatalog.workout_types) expect(nameOfWorkoutType(id)).toBe(display_name);
});

test('no other file of the console formats a time or a number, or names an id', () => {
  const folder = fileURLToPath(new URL('../../../functions/api/console/web', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  expect(files.length).toBeGreaterThan(100);
  const formatting =
    /new Intl\.|Intl\.(?!DateTimeFormat\(\)\.resolvedOptions)|toLocale|slice\(11, 16\)|replaceAll\('_', ' '\)/;
  const found = files.filter((name) => formatting.test(readFileSync(join(folder, name), 'utf8')));
  expect(found).toEqual(['state/format.ts']);
});
