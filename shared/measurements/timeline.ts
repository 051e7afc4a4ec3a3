// When within a day one device measured how much of each metric.

/**
 * An interval over which a device measured a value evenly; an instant when start and end are equal.
 */
export interface Piece {
  startMs: number;
  endMs: number;
  value: number;
}

/**
 * When a device measured a metric within a day, at a resolution of five minutes except for
 * instants.
 */
export interface Timeline {
  /** The exact total of all samples of the day. */
  total: number;
  /** Sorted by start, then end. */
  pieces: readonly Piece[];
}

export interface Span {
  startMs: number;
  endMs: number;
}

/** Keyed by metric index. */
export interface Timelines extends Iterable<[number, Timeline]> {
  readonly size: number;
  has(index: number): boolean;
  get(index: number): Timeline | undefined;
  /**
   * From the first start to the last end of all timelines, extended by up to a minute on either
   * side; undefined without pieces.
   */
  readonly span: Span | undefined;
}

/** Timelines that can be built and changed in memory. */
export class TimelineMap extends Map<number, Timeline> implements Timelines {
  get span(): Span | undefined {
    let startMs = Number.POSITIVE_INFINITY;
    let endMs = Number.NEGATIVE_INFINITY;
    for (const { pieces } of this.values()) {
      for (const piece of pieces) {
        startMs = Math.min(startMs, piece.startMs);
        // An instant lies after its own start: an interval that ends there does not reach it, one
        // that starts there does.
        endMs = Math.max(endMs, piece.startMs === piece.endMs ? piece.endMs + 1 : piece.endMs);
      }
    }
    return startMs <= endMs ? { startMs, endMs } : undefined;
  }
}
