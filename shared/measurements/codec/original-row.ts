// The originals of one row of values, in arrays by metric index: reading a year of days makes no objects unless somebody asks for one.
import type { Original } from '../records.ts';

/** By metric index; a Map is one too. */
export interface Originals extends Iterable<[number, Original]> {
  readonly size: number;
  has(index: number): boolean;
  get(index: number): Original | undefined;
}

/** As many metric indexes as a packed day can hold. */
const slots = 248;

export class OriginalRow implements Originals {
  readonly values = new Float64Array(slots).fill(Number.NaN);
  readonly units: string[] = new Array<string>(slots).fill('');
  /** The first `size` are those that hold an original. */
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

  /** The value must be finite. */
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
