// Renders the sources of values for requests with `include_sources=true`.
import type { MetricId, SampleId } from '../../catalog/metrics.ts';
import type { Original } from '../../measurements/records.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { presentUnit, presentValue } from '../kit/present-value.ts';
import type { UnitSystem } from '../kit/read-parameters.ts';
import { presentDevice, type ValueSource } from '../kit/source.ts';
import type { ValueOrigin } from './daily-sources.ts';

/** Without an original, the source used the metric's own unit. */
export function presentSampleSource(
  metric: SampleId,
  { device, value, original }: { device: DeviceRow; value: number; original: Original | undefined },
): ValueSource {
  const reported = original ?? { value, unit: presentUnit(metric, 'metric') };
  return { ...presentDevice(device), original_value: reported.value, original_unit: reported.unit };
}

export function presentOrigin(
  metric: MetricId,
  { device, original, contributors }: ValueOrigin,
  unitSystem: UnitSystem,
): ValueSource {
  const source = { ...presentDevice(device), original_value: original.value, original_unit: original.unit };
  if (contributors.length === 0) return source;
  return {
    ...source,
    contributors: contributors.map((each) => ({
      device_id: each.device.id,
      provider: each.device.provider,
      value: presentValue(metric, each.value, unitSystem),
    })),
  };
}
