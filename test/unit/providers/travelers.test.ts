import { test } from 'vitest';
import { askedProviders, tellsEachOnItsDay } from './travelers.ts';

const days = { from: '2026-03-21', to: '2026-03-23' };

test.each(askedProviders)('%s places the data of a New Yorker in Auckland on the days of New York', (provider) => {
  tellsEachOnItsDay(provider, { home: 'America/New_York', abroad: 'Pacific/Auckland', days });
});
