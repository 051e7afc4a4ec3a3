// Which reports of nights and workouts describe the same session, and which of them is shown.
import { overlapLength } from './spans.ts';

interface SessionReport {
  start: number;
  end: number;
  received: number;
}

/** The reports that count, one for each session. `rankOf` returns the rank of a report's device. */
export function deduplicateSessions<Report extends SessionReport>(
  reports: readonly Report[],
  rankOf: (report: Report) => number = () => 0,
): Report[] {
  const selected: Report[] = [];
  const best = reports.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) || b.received - a.received || b.end - b.start - (a.end - a.start) || a.start - b.start,
  );
  for (const report of best) if (!selected.some((other) => isSameSession(report, other))) selected.push(report);
  return selected;
}

export function isSameSession(a: SessionReport, b: SessionReport): boolean {
  const shorter = Math.min(a.end - a.start, b.end - b.start);
  const shared = overlapLength({ from: a.start, to: a.end }, { from: b.start, to: b.end });
  return 2 * shared > shorter || (a.start === b.start && a.end === b.end);
}
