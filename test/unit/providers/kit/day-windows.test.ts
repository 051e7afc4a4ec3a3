import { expect, test } from 'vitest';
import { clampToHistory, datesWorldwide, rereadWindow } from '../../../../shared/providers/kit/day-windows.ts';

const receivedMs = Date.UTC(2026, 2, 7, 12);

test("an instant may be on the day before or after, depending on the user's zone", () => {
  expect(datesWorldwide(Date.UTC(2026, 2, 5, 9), Date.UTC(2026, 2, 5, 11))).toEqual({
    from: '2026-03-04',
    to: '2026-03-06',
  });
});

test('a window includes no day before the history or in the future', () => {
  const reach = { receivedMs, historyDays: 30 };
  expect(clampToHistory({ from: '2020-01-01', to: '2030-01-01' }, reach)).toEqual({
    from: '2026-02-05',
    to: '2026-03-08',
  });
  expect(clampToHistory({ from: '2026-03-01', to: '2026-03-02' }, reach)).toEqual({
    from: '2026-03-01',
    to: '2026-03-02',
  });
  expect(clampToHistory({ from: '2020-01-01', to: '2020-01-02' }, reach)).toBeUndefined();
  expect(clampToHistory({ from: '2026-03-02', to: '2026-03-01' }, reach)).toBeUndefined();
});

test('a window without days covers the last days', () => {
  expect(rereadWindow(receivedMs, 3)).toEqual({ from: '2026-03-04', to: '2026-03-08' });
});
