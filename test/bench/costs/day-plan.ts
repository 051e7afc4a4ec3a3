// How a person's month is put together: the one place that says what happens how often.
import { hourMs } from './phone-day.ts';

export type SyncsPerDay = 24 | 44;

export const daysPerMonth = 30;
/** Besides the syncs of the day, each an upload of its own. */
export const workoutsPerWeek = 3;
/** The customer's server reads the last 30 days so often a day. */
export const readsPerDay = 1;

export interface Sync {
  /** Since midnight. */
  atMs: number;
  fromMs: number;
  kind: 'hour' | 'night' | 'again';
}

/** Until then the person sleeps. */
export const wakesAtMs = 7 * hourMs;
export const sleepsAtMs = 23 * hourMs;

/**
 * 24 syncs: every hour brings what was measured in it, and the one at seven brings the night. The
 * phone's credentials are refreshed once.
 * 44 syncs: the sixteen waking hours come in halves, and four times the app is opened and sends once
 * more what it has just sent.
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

/** Phones are not punctual: so many minutes after its time a sync comes, always the same. */
export const lateMinutes = ({ atMs, kind }: Sync): number =>
  kind === 'again' ? 13 : 1 + (((atMs / hourMs) * 14) % 11);
