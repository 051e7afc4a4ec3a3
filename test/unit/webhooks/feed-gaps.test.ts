// Gaps, compared with a plain list of the pages that an endpoint has not been sent.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addPage,
  claimGap,
  closeOpenGap,
  countClaims,
  expireClaims,
  type FeedGap,
  findClaimed,
  findFreeGap,
  finishClaim,
  type GapClaim,
  isInGap,
  isOpen,
  maxFreeGaps,
  oldestMs,
  openGap,
  releaseAll,
  skipPages,
} from '../../../shared/webhooks/feed-gaps.ts';

const pageCount = 60;
const pages = Array.from({ length: pageCount }, (_none, page) => page);
/** Page n is published at n seconds, and has the number n alone. */
const publishedMs = (page: number): number => page * 1_000;

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('publish' as const), count: fc.integer({ min: 1, max: 8 }) }) },
  fc.record({ do: fc.constant('open' as const) }),
  fc.record({ do: fc.constant('close' as const) }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), page: fc.nat(pageCount - 1) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('claim' as const), length: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('finish' as const), which: fc.nat(5), sent: fc.nat(6) }),
  },
  fc.record({ do: fc.constant('expire' as const) }),
  fc.record({ do: fc.constant('release' as const) }),
);

test('no page that was not sent leaves the gaps, and no page is claimed by two workers', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let gaps: FeedGap[] = [];
      let end = 1;
      let nowMs = 1;
      /** The oracle: pages that must still be sent, and those that each claim may send. */
      const unsent = new Set<number>();
      let claims: GapClaim[] = [];
      const endedClaims: GapClaim[] = [];
      for (const each of steps) {
        nowMs += 1;
        if (each.do === 'publish') {
          for (const page of pages.slice(end, end + each.count)) if (isOpen(gaps)) unsent.add(page);
          end = Math.min(pageCount, end + each.count);
        } else if (each.do === 'open') gaps = openGap(gaps, end, publishedMs(end));
        else if (each.do === 'close') gaps = closeOpenGap(gaps, end);
        else if (each.do === 'add') {
          const page = each.page % end;
          gaps = addPage(gaps, page, publishedMs(page));
          unsent.add(page);
        } else if (each.do === 'claim') {
          const free = findFreeGap(gaps);
          if (!free) continue;
          const to = Math.min(free.to ?? end, free.from + each.length);
          const claim = { from: free.from, to, claimedUntilMs: nowMs * 1_000 };
          gaps = claimGap(gaps, claim, { lanes: 2, restSinceMs: publishedMs(to - 1) });
          for (const other of claims) expect(other.to <= claim.from || claim.to <= other.from).toBe(true);
          claims.push(claim);
        } else if (each.do === 'finish') {
          const claim = claims[each.which % Math.max(1, claims.length)];
          if (!claim || !findClaimed(gaps, claim)) continue;
          const next = Math.min(claim.to, claim.from + each.sent);
          gaps = finishClaim(gaps, claim, next);
          claims = claims.filter((other) => other !== claim);
          endedClaims.push(claim);
          for (let page = claim.from; page < next; page += 1) unsent.delete(page);
        } else {
          gaps = each.do === 'expire' ? expireClaims(gaps, Number.POSITIVE_INFINITY).gaps : releaseAll(gaps);
          endedClaims.push(...claims);
          claims = [];
        }
        // Another worker may be sending what was claimed: its claim is not finished by the first.
        for (const ended of endedClaims) expect(findClaimed(gaps, ended)).toBeUndefined();
        for (const page of unsent) expect(isInGap(gaps, page), `page ${page} is lost`).toBe(true);
        for (const [at, gap] of gaps.entries()) {
          expect(gap.from).toBeLessThan(gap.to ?? Number.POSITIVE_INFINITY);
          expect(gaps[at + 1]?.from ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(
            gap.to ?? Number.POSITIVE_INFINITY,
          );
        }
        expect(gaps.filter(({ to }) => to === undefined).length).toBeLessThanOrEqual(1);
        expect(countClaims(gaps)).toBe(claims.length);
        expect(gaps.length).toBeLessThanOrEqual(2 * maxFreeGaps + 2 * claims.length);
        const oldest = oldestMs(gaps) ?? Number.POSITIVE_INFINITY;
        for (const page of unsent) expect(oldest).toBeLessThanOrEqual(publishedMs(page));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a hundred single pages become few ranges, and the page of an open circuit extends its range', () => {
  const single = pages.filter((page) => page % 3 === 0).reduce((gaps, page) => addPage(gaps, page, 0), [] as FeedGap[]);
  expect(single).toEqual([{ from: 0, to: 58, sinceMs: 0 }]);
  expect(addPage(openGap([], 40, 9), 30, 5)).toEqual([{ from: 30, sinceMs: 5 }]);
});

test('circuits that open again and again leave a bounded number of ranges, the nearest joined', () => {
  let gaps: FeedGap[] = [];
  for (let at = 1; at <= 40; at += 1) gaps = closeOpenGap(openGap(gaps, at * 100, at), at * 100 + at);
  expect(gaps.length).toBeLessThanOrEqual(maxFreeGaps + 1);
  for (let at = 1; at <= 40; at += 1) expect(isInGap(gaps, at * 100)).toBe(true);
});

test('pages without events for the endpoint are skipped, except those that a worker has claimed', () => {
  const gaps: FeedGap[] = [
    { from: 1, to: 5, sinceMs: 0 },
    { from: 5, to: 9, sinceMs: 0, claimedUntilMs: 1 },
    { from: 9, sinceMs: 0 },
  ];
  expect(skipPages(gaps, 12)).toEqual([gaps[1], { from: 12, sinceMs: 0 }]);
});
