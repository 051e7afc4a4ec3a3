// One sample as stored, with its time and UTC offset.
import type { Original } from '../records.ts';

export interface StoredSample {
  startMs: number;
  endMs: number;
  /** In the metric's unit, with the precision of the measurement. */
  value: number;
  original?: Original;
  /** The UTC offset that the record itself states; null when it states none. */
  offsetMinutes: number | null;
}
