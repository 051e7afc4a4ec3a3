// Timelines as they came out of a packed day: which there are, their totals and their span are known at once, the pieces when somebody asks.

import { ByteReader, UnreadableData } from '../../platform/bytes.ts';
import type { Span, Timeline, Timelines } from '../timeline.ts';
import { decompress } from './compression.ts';
import { readPieces } from './timeline-pieces.ts';

/** The pieces of all devices of a day, decompressed when first needed. */
export class DayPieces {
  #stored: Uint8Array = new Uint8Array(0);
  #plainLength = 0;
  #plain: Uint8Array | undefined;

  /** `plainLength` is what the bytes come to when decompressed; 0 for those stored plain. */
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
  /** By metric, lowest first. */
  readonly totals: ReadonlyMap<number, number>;
  readonly span: Span | undefined;
  readonly dayPieces: DayPieces;
  readonly from: number;
  readonly length: number;
  #timelines: ReadonlyMap<number, Timeline> | undefined;

  /** `from` and `length` say where in the day's pieces this device's are. */
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

  /** The pieces as they are stored, decompressed. */
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
