import { expect, test } from 'vitest';
import { expectEachOnItsDay, polledProviders, providersWithoutSessions } from './travelers.ts';

const days = { from: '2026-03-21', to: '2026-03-23' };

test.each(polledProviders)('%s places the data of a New Yorker in Auckland on the days of New York', (provider) => {
  expectEachOnItsDay(provider, { home: 'America/New_York', abroad: 'Pacific/Auckland', days });
});

test('every polled provider has several nights or workouts to place, except for those with daily values alone', () => {
  expect(providersWithoutSessions).toEqual([]);
});
