import { expect, test } from 'vitest';
import {
  demandedSessions,
  expectEachOnItsDay,
  listOffsets,
  polledProviders,
  providersWithoutSessions,
} from './travelers.ts';

const days = { from: '2026-03-21', to: '2026-03-23' };

test.each(polledProviders)('%s places the data of a New Yorker in Auckland on the days of New York', (provider) => {
  expectEachOnItsDay(provider, { home: 'America/New_York', abroad: 'Pacific/Auckland', days });
});

test('every polled provider has several nights or workouts to place, except for those with daily values alone', () => {
  expect(providersWithoutSessions).toEqual([]);
});

/** The providers that have samples with an instant in UTC alone. */
const providersWithUtcSamples = ['oura', 'withings', 'google_health'];

test.each(polledProviders)('%s keeps the offset of Auckland in what it states there, and guesses none', (provider) => {
  const offsets = listOffsets(provider, { home: 'America/New_York', abroad: 'Pacific/Auckland', days });
  const { sleep, workouts } = demandedSessions(provider);
  const auckland = 13 * 60;
  expect(offsets.sleep).toEqual(sleep ? [auckland] : []);
  expect(offsets.workouts).toEqual(workouts ? [auckland] : []);
  expect(new Set(offsets.samples)).toEqual(
    new Set(providersWithUtcSamples.includes(provider) ? [auckland, null] : [auckland]),
  );
});
