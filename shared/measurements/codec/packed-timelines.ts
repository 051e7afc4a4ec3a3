// Timelines read from a packed day. Their metrics, totals and span are available at once; the
// pieces are decoded on first access.

import { ByteReader, UnreadableData } from '../../platform/bytes.ts';
import type { Span, Timeline, Timelines } from '../timeline.ts';
import { decompress } from './compression.ts';
import { readPieces } from './timeline-pieces.ts';

/** The pieces of all devices of a day, decompressed on first access. */
export class DayPieces {
  #stored: Uint8Array = new Uint8Array(0);
  #plainLength = 0;
  #plain: Uint8Array | undefined;

  /**
   * `plainLength` is the decompressed length of the bytes, or 0 if they are stored uncompressed.
   */
  load(stored: Uint8Array, plainLength: number): void {
    this.#stored = stored;
    this.#plainLength = plainLength;
    this.#plain = plainLength === 0 ? stored : undefined;
  }

  get stored(): Uint8Array {
    return this.#stored;
  }

  get plainLength(): number {
    return this.#plainLength;
  }

  get length(): number {
    return this.#plainLength === 0 ? this.#stored.length : this.#plainLength;
  }

  slice(from: number, length: number): Uint8Array {
    this.#plain ??= decompress(this.#plainLength, this.#stored);
    return this.#plain.subarray(from, from + length);
  }
}

export class PackedTimelines implements Timelines {
  /** Keyed by metric index, in ascending order. */
  readonly totals: ReadonlyMap<number, number>;
  readonly span: Span | undefined;
  readonly dayPieces: DayPieces;
  readonly from: number;
  readonly length: number;
  #timelines: ReadonlyMap<number, Timeline> | undefined;

  /** `from` and `length` locate this device's pieces within the day's pieces. */
  constructor(
    totals: ReadonlyMap<number, number>,
    span: Span | undefined,
    dayPieces: DayPieces,
    from: number,
    length: number,
  ) {
    this.totals = totals;
    this.span = span;
    this.dayPieces = dayPieces;
    this.from = from;
    this.length = length;
  }

  get size(): number {
    return this.totals.size;
  }

  has(index: number): boolean {
    return this.totals.has(index);
  }

  get(index: number): Timeline | undefined {
    return this.has(index) ? this.#read().get(index) : undefined;
  }

  [Symbol.iterator](): Iterator<[number, Timeline]> {
    return this.#read()[Symbol.iterator]();
  }

  /** The encoded pieces, decompressed. */
  packedPieces(): Uint8Array {
    return this.dayPieces.slice(this.from, this.length);
  }

  #read(): ReadonlyMap<number, Timeline> {
    if (this.#timelines !== undefined) return this.#timelines;
    const reader = new ByteReader().startUnchecked(this.packedPieces());
    const baseMs = this.span?.startMs ?? 0;
    const timelines = new Map<number, Timeline>();
    for (const [index, total] of this.totals) timelines.set(index, { total, pieces: readPieces(reader, baseMs) });
    reader.finish();
    for (const { pieces } of timelines.values()) {
      if (pieces.length > 0 && this.span === undefined)
        throw new UnreadableData('a packed day has pieces without a span');
    }
    this.#timelines = timelines;
    return timelines;
  }
}
