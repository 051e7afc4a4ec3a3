import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitizeDays } from '../../../../shared/connections/sync/notified-days.ts';
import { listMissedDays } from '../../../../shared/connections/sync/resume-polls.ts';
import { maxNotifications } from '../../../../shared/connections/sync-rows.ts';
import { addDays, dayMs, utcDay } from '../../../../shared/platform/time/local-day.ts';
import { providerDescriptors } from '../../../../shared/providers/catalog.ts';

const cloud = Object.values(providerDescriptors).flatMap((each) => ('sync' in each ? [each] : []));

test('every day since polls were paused is read once, as far back as the provider offers, in notifications that are accepted in full', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...cloud),
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
      fc.integer({ min: 0, max: 3_000 * dayMs }),
      (provider, sinceMs, awayMs) => {
        const nowMs = sinceMs + awayMs;
        const windows = listMissedDays(sinceMs, nowMs, provider);
        const today = utcDay(nowMs);
        const wanted: string[] = [];
        for (
          let day = addDays(today, 1);
          day >= addDays(utcDay(sinceMs), -provider.sync.rereadDays - 1);
          day = addDays(day, -1)
        )
          if (day >= addDays(today, 1 - provider.historyDays)) wanted.push(day);
        const read = windows.flatMap(({ from, to }) => {
          const days: string[] = [];
          for (let day = to; day >= from; day = addDays(day, -1)) days.push(day);
          return days;
        });
        expect(read).toEqual(wanted);
        expect(windows.length).toBeLessThan(maxNotifications);
        for (const window of windows) expect(sanitizeDays(window, today)).toEqual(window);
      },
    ),
    { numRuns: 40 },
  );
});
