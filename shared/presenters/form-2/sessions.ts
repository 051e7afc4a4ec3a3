// What the sleep and the workout list have in common on the wire.
import { roundTo } from '../../model/arithmetic.ts';

export const wholeMinutes = ({ startMs, endMs }: { startMs: number; endMs: number }): number =>
  Math.round((endMs - startMs) / 60_000);

export const roundedOrNull = (decimals: number, value: number | null): number | null =>
  value === null ? null : roundTo(decimals, value);
