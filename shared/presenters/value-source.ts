// Where something came from, for those who ask with `include_sources=true`.
import type { MetricId, SampleId } from '../model/metrics.ts';
import type { UnitSystem } from '../model/read-parameters.ts';
import type { Original } from '../model/records.ts';
import type { ValueSource } from '../model/source.ts';
import type { ValueOrigin } from '../reads/daily-sources.ts';
import type { DeviceRow } from '../store/devices.ts';
import { presentDevice } from './present-device.ts';
import { presentUnit, presentValue } from './present-value.ts';

/** Without an original the source used the metric's own unit. */
export function presentSampleSource(
  metric: SampleId,
  { device, value, original }: { device: DeviceRow; value: number; original: Original | undefined },
): ValueSource {
  const said = original ?? { value, unit: presentUnit(metric, 'metric') };
  return { ...presentDevice(device), original_value: said.value, original_unit: said.unit };
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
