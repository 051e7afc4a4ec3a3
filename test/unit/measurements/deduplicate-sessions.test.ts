import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deduplicateSessions, isSameSession, type Session } from '../../../shared/measurements/deduplicate-sessions.ts';

interface Ranked extends Session {
  rank: number;
}
const anySession: fc.Arbitrary<Omit<Ranked, 'id'>> = fc
  .record({
    startMs: fc.nat({ max: 20 }),
    length: fc.nat({ max: 8 }),
    receivedMs: fc.nat({ max: 2 }),
    rank: fc.nat({ max: 2 }),
  })
  .map(({ length, ...rest }) => ({ ...rest, endMs: rest.startMs + length }));
const anySessions: fc.Arbitrary<Ranked[]> = fc
  .array(anySession, { maxLength: 10 })
  .map((sessions) => sessions.map((session, at) => ({ ...session, id: `slp_${at}` })));
const shuffled = anySessions.chain((sessions) =>
  fc.tuple(
    fc.constant(sessions),
    fc.shuffledSubarray(sessions, { minLength: sessions.length, maxLength: sessions.length }),
  ),
);
const byRank = (a: Ranked, b: Ranked): number => a.rank - b.rank;

/** Counts the shared milliseconds one by one. */
function overlapsByHalf(a: Session, b: Session): boolean {
  if (a.startMs === b.startMs && a.endMs === b.endMs) return true;
  let shared = 0;
  for (let ms = a.startMs; ms < a.endMs; ms++) if (ms >= b.startMs && ms < b.endMs) shared++;
  return shared > Math.min(a.endMs - a.startMs, b.endMs - b.startMs) / 2;
}

/** Takes the best remaining session and drops everything like it, until none is left. */
function deduplicateNaively(sessions: Ranked[]): string[] {
  const retained: string[] = [];
  let left = sessions;
  while (left.length > 0) {
    const rankKeys = (one: Ranked): (number | string)[] => [one.rank, -one.receivedMs, one.startMs - one.endMs, one.id];
    const best = left.reduce((a, b) => {
      const [left, right] = [rankKeys(a), rankKeys(b)];
      const at = left.findIndex((each, index) => each !== right[index]);
      return (left[at] ?? 0) < (right[at] ?? 0) ? a : b;
    });
    retained.push(best.id);
    left = left.filter((other) => !overlapsByHalf(best, other));
  }
  return retained.sort();
}

const session = (id: string, startMs: number, endMs: number, more: Partial<Ranked> = {}): Ranked => ({
  id,
  startMs,
  endMs,
  receivedMs: 0,
  rank: 0,
  ...more,
});
const ids = (sessions: Session[]): string[] => sessions.map(({ id }) => id);

describe('deduplicating sessions', () => {
  test('keeps the best of those that overlap by more than half of the shorter one', () => {
    fc.assert(
      fc.property(anySessions, (sessions) => {
        expect(ids(deduplicateSessions(sessions, byRank)).sort()).toEqual(deduplicateNaively(sessions));
      }),
      { numRuns: 3_000 },
    );
  });

  test('does not depend on the order of the reports, and sorts by start', () => {
    fc.assert(
      fc.property(shuffled, ([sessions, others]) => {
        const retained = deduplicateSessions(sessions, byRank);
        expect(deduplicateSessions(others, byRank)).toEqual(retained);
        expect(retained.map(({ startMs }) => startMs)).toEqual(
          retained.map(({ startMs }) => startMs).sort((a, b) => a - b),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('keeps no two that are the same session, and drops only what is the same as a kept one', () => {
    fc.assert(
      fc.property(anySessions, (sessions) => {
        const retained = deduplicateSessions(sessions, byRank);
        for (const [at, one] of retained.entries())
          for (const other of retained.slice(at + 1)) expect(isSameSession(one, other)).toBe(false);
        for (const one of sessions) expect(retained.some((other) => isSameSession(one, other))).toBe(true);
      }),
    );
  });

  test('treats an overlap of exactly half of the shorter one as different sessions', () => {
    expect(isSameSession(session('a', 0, 10), session('b', 5, 20))).toBe(false);
    expect(isSameSession(session('a', 0, 11), session('b', 5, 20))).toBe(true);
    expect(isSameSession(session('a', 0, 10), session('b', 10, 20))).toBe(false);
  });

  test('excludes the neighbor of the best one in a chain and keeps the far end', () => {
    const chain = [
      session('a', 0, 10, { rank: 1 }),
      session('b', 4, 14, { rank: 2 }),
      session('c', 8, 18, { rank: 3 }),
    ];
    expect(ids(deduplicateSessions(chain, byRank))).toEqual(['a', 'c']);
    const middleBest = [session('a', 0, 10, { rank: 2 }), session('b', 4, 14), session('c', 8, 18, { rank: 3 })];
    expect(ids(deduplicateSessions(middleBest, byRank))).toEqual(['b']);
  });

  test('breaks ties by the later report, then by the longer one, then by the lower id', () => {
    expect(ids(deduplicateSessions([session('a', 0, 10), session('b', 0, 9, { receivedMs: 1 })], byRank))).toEqual([
      'b',
    ]);
    expect(ids(deduplicateSessions([session('a', 0, 10), session('b', 0, 11)], byRank))).toEqual(['b']);
    expect(ids(deduplicateSessions([session('b', 0, 10), session('a', 0, 10)], byRank))).toEqual(['a']);
  });
});
