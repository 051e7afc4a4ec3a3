// Describes a user's month: how often each operation happens.
import { hourMs } from './phone-day.ts';

export type SyncsPerDay = 24 | 44;

export const daysPerMonth = 30;
/** In addition to the syncs of the day; each workout is a separate upload. */
export const workoutsPerWeek = 3;
/** How many times a day the customer's server reads the last 30 days. */
export const readsPerDay = 1;

export interface Sync {
  /** Milliseconds since midnight. */
  atMs: number;
  fromMs: number;
  kind: 'hour' | 'night' | 'again';
}

/** The user sleeps until this time of day. */
export const wakesAtMs = 7 * hourMs;
export const sleepsAtMs = 23 * hourMs;

/**
 * With 24 syncs, each hour uploads what was measured in it, the 07:00 sync uploads the night, and
 * the phone's credentials are refreshed once. With 44 syncs, each of the sixteen waking hours is
 * split in two, and four times a day the app is opened and repeats its last upload.
 */
export function planSyncs(count: SyncsPerDay): Sync[] {
  const hours = Array.from({ length: 24 }, (_none, hour) => hour * hourMs);
  const isAwake = (fromMs: number) => fromMs >= wakesAtMs && fromMs < sleepsAtMs;
  const halves = (fromMs: number): Sync[] =>
    count === 44 && isAwake(fromMs)
      ? [makeSync(fromMs, fromMs + hourMs / 2), makeSync(fromMs + hourMs / 2, fromMs + hourMs)]
      : [makeSync(fromMs, fromMs + hourMs)];
  const repeatedSync = (hour: number): Sync => ({ atMs: hour * hourMs, fromMs: hour * hourMs, kind: 'again' });
  const opened = count === 44 ? [9, 13, 18, 22].map(repeatedSync) : [];
  return [...hours.flatMap(halves), ...opened].sort((a, b) => a.atMs + lateMinutes(a) - b.atMs - lateMinutes(b));
}

const makeSync = (fromMs: number, toMs: number): Sync => ({
  atMs: toMs,
  fromMs,
  kind: toMs === wakesAtMs ? 'night' : 'hour',
});

/** Phones are not punctual: a sync arrives this many minutes late. The delay is deterministic. */
export const lateMinutes = ({ atMs, kind }: Sync): number =>
  kind === 'again' ? 13 : 1 + (((atMs / hourMs) * 14) % 11);
