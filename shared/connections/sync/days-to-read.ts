// Selects the days to request next: first the days to read again, then the history, newest first,
// up to a maximum number at once.
import { addDays, daysBetween } from '../../platform/time/local-day.ts';
import type { DayWindow } from '../../providers/kit/provider-pages.ts';

export interface DaysToRead {
  rereadDays: readonly DayWindow[];
  history: DayWindow | null;
}

/** Merges overlapping and adjacent windows, newest first. */
export function mergeWindows(windows: readonly DayWindow[]): DayWindow[] {
  const merged: DayWindow[] = [];
  for (const window of windows.toSorted((a, b) => (a.to < b.to ? 1 : a.to > b.to ? -1 : 0))) {
    const last = merged.at(-1);
    if (last && addDays(window.to, 1) >= last.from) {
      if (window.from < last.from) last.from = window.from;
    } else merged.push({ ...window });
  }
  return merged;
}

/** Returns what is left of the windows without those days. */
export function subtractDays(windows: readonly DayWindow[], { from, to }: DayWindow): DayWindow[] {
  return windows.flatMap((window) =>
    window.to < from || window.from > to
      ? [window]
      : [
          { from: window.from, to: addDays(from, -1) },
          { from: addDays(to, 1), to: window.to },
        ].filter((part) => part.from <= part.to),
  );
}

/** Lists every day of the windows, newest first. */
export const listDays = (windows: readonly DayWindow[]): string[] =>
  mergeWindows(windows).flatMap(({ from, to }) =>
    Array.from({ length: daysBetween(from, to) + 1 }, (_none, at) => addDays(to, -at)),
  );

/** Returns how many days to request next time, when the window was too large. */
export const halveWindow = ({ from, to }: DayWindow): number =>
  Math.max(1, Math.floor((daysBetween(from, to) + 1) / 2));

/**
 * Returns the next days to request and what remains after them, or undefined when nothing is left.
 */
export function selectNextDays(plan: DaysToRead, maxDays: number): { days: DayWindow; rest: DaysToRead } | undefined {
  const [first, ...others] = mergeWindows(plan.rereadDays);
  if (first) {
    const { days, rest } = splitNewest(first, maxDays);
    return { days, rest: { rereadDays: rest ? [rest, ...others] : others, history: plan.history } };
  }
  if (!plan.history) return undefined;
  const { days, rest } = splitNewest(plan.history, maxDays);
  return { days, rest: { rereadDays: [], history: rest ?? null } };
}

function splitNewest({ from, to }: DayWindow, maxDays: number): { days: DayWindow; rest: DayWindow | undefined } {
  if (daysBetween(from, to) < maxDays) return { days: { from, to }, rest: undefined };
  const first = addDays(to, 1 - maxDays);
  return { days: { from: first, to }, rest: { from, to: addDays(first, -1) } };
}
