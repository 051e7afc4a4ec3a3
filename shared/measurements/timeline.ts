// When within a day a device measured how much, for the metrics of one device and day.

/** A stretch of time in which a device measured so much, evenly; a moment where start and end are the same. */
export interface Piece {
  startMs: number;
  endMs: number;
  value: number;
}

/** When a device measured a metric within a day, as coarse as five minutes but for moments. */
export interface Timeline {
  /** What all its samples of the day come to, exactly. */
  total: number;
  /** By start, then end. */
  pieces: readonly Piece[];
}

export interface Span {
  startMs: number;
  endMs: number;
}

/** By metric index. */
export interface Timelines extends Iterable<[number, Timeline]> {
  readonly size: number;
  has(index: number): boolean;
  get(index: number): Timeline | undefined;
  /** From the first start to the last end of all of them, or up to a minute more at either side; undefined without any. */
  readonly span: Span | undefined;
}

/** Timelines that can be put together and changed. */
export class TimelineMap extends Map<number, Timeline> implements Timelines {
  get span(): Span | undefined {
    let startMs = Number.POSITIVE_INFINITY;
    let endMs = Number.NEGATIVE_INFINITY;
    for (const { pieces } of this.values()) {
      for (const piece of pieces) {
        startMs = Math.min(startMs, piece.startMs);
        // A moment lies after its own start: what ends there does not reach it, what begins there does.
        endMs = Math.max(endMs, piece.startMs === piece.endMs ? piece.endMs + 1 : piece.endMs);
      }
    }
    return startMs <= endMs ? { startMs, endMs } : undefined;
  }
}
