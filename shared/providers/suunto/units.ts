// Two things that Suunto writes in more than one unit.
import { withoutNoise } from '../../platform/arithmetic.ts';
import type { Maybe } from '../kit/gathering.ts';

/** No heart beats so slowly: below it is meant per second. */
const slowest = 15;

/** Zero is what could not be measured. */
export function suuntoPulse(value: Maybe): { value: number; unit?: 'Hz' } | undefined {
  if (!value || value <= 0) return undefined;
  return value < slowest ? { value, unit: 'Hz' } : { value };
}

export const suuntoBeats = (value: Maybe): number | null => {
  const pulse = suuntoPulse(value);
  return pulse ? withoutNoise(pulse.value * (pulse.unit ? 60 : 1)) : null;
};

/** A share of one, though some write percent. */
export function suuntoOxygen(value: Maybe): { value: number; unit: 'fraction' | '%' } | undefined {
  if (!value || value <= 0) return undefined;
  return { value, unit: value <= 1 ? 'fraction' : '%' };
}
