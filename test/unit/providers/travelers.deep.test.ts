import { describe, test } from 'vitest';
import { expectEachOnItsDay, polledProviders } from './travelers.ts';

const days = { from: '2026-03-18', to: '2026-03-25' };
const journeys = [
  { home: 'America/New_York', abroad: 'Pacific/Auckland' },
  { home: 'Pacific/Auckland', abroad: 'America/Los_Angeles' },
  { home: 'Pacific/Honolulu', abroad: 'Asia/Tokyo' },
  { home: 'Asia/Kathmandu', abroad: 'America/St_Johns' },
  { home: 'Europe/Berlin', abroad: 'Europe/Berlin' },
];

describe.each(polledProviders)('%s', (provider) => {
  test.each(journeys)('places the data of a user of $home in $abroad on the days of the home zone', (journey) => {
    expectEachOnItsDay(provider, { ...journey, days });
  });
});
