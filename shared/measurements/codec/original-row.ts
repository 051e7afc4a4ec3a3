// The original values of one row, in arrays indexed by metric, so that reading a year of days
// allocates no objects until one is requested.
import type { Original } from '../records.ts';

/** Keyed by metric index. A Map also satisfies this interface. */
export interface Originals extends Iterable<[number, Original]> {
  readonly size: number;
  has(index: number): boolean;
  get(index: number): Original | undefined;
}

/** The number of metric indexes that a packed day can hold. */
const slots = 248;

export class OriginalRow implements Originals {
  readonly values = new Float64Array(slots).fill(Number.NaN);
  readonly units: string[] = new Array<string>(slots).fill('');
  /** The first `size` entries are the metric indexes that have an original. */
  readonly indexes = new Uint8Array(slots);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  clear(): void {
    for (let at = 0; at < this.#size; at++) this.values[this.indexes[at] ?? 0] = Number.NaN;
    this.#size = 0;
  }

  has(index: number): boolean {
    return !Number.isNaN(this.values[index] ?? Number.NaN);
  }

  get(index: number): Original | undefined {
    return this.has(index) ? { value: this.values[index] ?? 0, unit: this.units[index] ?? '' } : undefined;
  }

  /** `value` must be finite. */
  set(index: number, value: number, unit: string): void {
    if (!this.has(index)) this.indexes[this.#size++] = index;
    this.values[index] = value;
    this.units[index] = unit;
  }

  *[Symbol.iterator](): Generator<[number, Original]> {
    for (const index of this.indexes.subarray(0, this.#size)) {
      yield [index, { value: this.values[index] ?? 0, unit: this.units[index] ?? '' }];
    }
  }
}
