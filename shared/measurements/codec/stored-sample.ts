// One sample as it is kept, where and when it was made included.
import type { Original } from '../records.ts';

export interface StoredSample {
  startMs: number;
  endMs: number;
  /** In the metric's unit, as exact as it was measured. */
  value: number;
  original?: Original;
  /** The offset the record itself stated; null when it stated none. */
  offsetMinutes: number | null;
}
