// Two kinds of values that Suunto sends in more than one unit.
import { removeFloatNoise } from '../../platform/arithmetic.ts';
import type { OptionalNumber } from '../kit/record-builder.ts';

/** No heart beats this slowly; lower values are beats per second. */
const minBpm = 15;

/** Zero means that nothing could be measured. */
export function readSuuntoPulse(value: OptionalNumber): { value: number; unit?: 'Hz' } | undefined {
  if (!value || value <= 0) return undefined;
  return value < minBpm ? { value, unit: 'Hz' } : { value };
}

export const toSuuntoBpm = (value: OptionalNumber): number | null => {
  const pulse = readSuuntoPulse(value);
  return pulse ? removeFloatNoise(pulse.value * (pulse.unit ? 60 : 1)) : null;
};

/** A fraction of one, although some watches send percent. */
export function readSuuntoOxygen(value: OptionalNumber): { value: number; unit: 'fraction' | '%' } | undefined {
  if (!value || value <= 0) return undefined;
  return { value, unit: value <= 1 ? 'fraction' : '%' };
}
