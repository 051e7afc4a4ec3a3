// Sets of time as sorted, disjoint spans [from, to): union, difference, intersection and length.
import type { Span } from './zone-clock.ts';

export function unionSpans(spans: Iterable<Span>): Span[] {
  const joined: Span[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    if (to <= from) continue;
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

export function excludeSpans(spans: readonly Span[], excluded: readonly Span[]): Span[] {
  let left = [...spans];
  for (const hole of excluded)
    left = left.flatMap(({ from, to }) =>
      [
        { from, to: Math.min(to, hole.from) },
        { from: Math.max(from, hole.to), to },
      ].filter((rest) => rest.from < rest.to),
    );
  return unionSpans(left);
}

export const intersectSpans = (spans: readonly Span[], { from, to }: Span): Span[] =>
  spans
    .map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }))
    .filter((span) => span.from < span.to);

export const totalLength = (spans: readonly Span[]): number => spans.reduce((all, { from, to }) => all + to - from, 0);

export const includesInstant = (spans: readonly Span[], at: number): boolean =>
  spans.some(({ from, to }) => from <= at && at < to);

export const overlapLength = (a: Span, b: Span): number => Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));
