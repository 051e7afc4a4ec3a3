// Which reports of nights and workouts are of one and the same, and which of them is shown.
import { overlap } from './spans.ts';

interface Reported {
  start: number;
  end: number;
  received: number;
}

/** The reports that count, each session once; `worse` says how far down a report's device stands. */
export function oneOfEach<Report extends Reported>(
  reports: readonly Report[],
  worse: (report: Report) => number = () => 0,
): Report[] {
  const kept: Report[] = [];
  const best = reports.toSorted(
    (a, b) =>
      worse(a) - worse(b) || b.received - a.received || b.end - b.start - (a.end - a.start) || a.start - b.start,
  );
  for (const report of best) if (!kept.some((other) => sameSession(report, other))) kept.push(report);
  return kept;
}

export function sameSession(a: Reported, b: Reported): boolean {
  const shorter = Math.min(a.end - a.start, b.end - b.start);
  const shared = overlap({ from: a.start, to: a.end }, { from: b.start, to: b.end });
  return 2 * shared > shorter || (a.start === b.start && a.end === b.end);
}
