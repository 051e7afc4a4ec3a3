// Which days are asked for next: those to be read again first, then the history, newest first, so many at once.
import { addDays, daysBetween } from '../../platform/time/local-day.ts';
import type { DayWindow } from '../../providers/kit/pages.ts';

export interface DaysToRead {
  again: readonly DayWindow[];
  history: DayWindow | null;
}

/** Overlapping and neighbouring ones as one, the newest first. */
export function mergedWindows(windows: readonly DayWindow[]): DayWindow[] {
  const merged: DayWindow[] = [];
  for (const window of windows.toSorted((a, b) => (a.to < b.to ? 1 : a.to > b.to ? -1 : 0))) {
    const last = merged.at(-1);
    if (last && addDays(window.to, 1) >= last.from) {
      if (window.from < last.from) last.from = window.from;
    } else merged.push({ ...window });
  }
  return merged;
}

/** What is left of them without those days. */
export function withoutDays(windows: readonly DayWindow[], { from, to }: DayWindow): DayWindow[] {
  return windows.flatMap((window) =>
    window.to < from || window.from > to
      ? [window]
      : [
          { from: window.from, to: addDays(from, -1) },
          { from: addDays(to, 1), to: window.to },
        ].filter((part) => part.from <= part.to),
  );
}

/** Each of them, the newest first. */
export const eachDay = (windows: readonly DayWindow[]): string[] =>
  mergedWindows(windows).flatMap(({ from, to }) =>
    Array.from({ length: daysBetween(from, to) + 1 }, (_none, at) => addDays(to, -at)),
  );

/** The next days to ask for, and what is left when they are in; undefined when nothing is. */
export function nextDays(plan: DaysToRead, mostDays: number): { days: DayWindow; rest: DaysToRead } | undefined {
  const [first, ...others] = mergedWindows(plan.again);
  if (first) {
    const { days, rest } = newest(first, mostDays);
    return { days, rest: { again: rest ? [rest, ...others] : others, history: plan.history } };
  }
  if (!plan.history) return undefined;
  const { days, rest } = newest(plan.history, mostDays);
  return { days, rest: { again: [], history: rest ?? null } };
}

function newest({ from, to }: DayWindow, most: number): { days: DayWindow; rest: DayWindow | undefined } {
  if (daysBetween(from, to) < most) return { days: { from, to }, rest: undefined };
  const first = addDays(to, 1 - most);
  return { days: { from: first, to }, rest: { from, to: addDays(first, -1) } };
}
