// The samples of one metric, UTC day and device, in slots or rows.
import type { SampleId } from '../../catalog/metrics.ts';
import type { StoredSample } from '../codec/sample-block.ts';

export interface SampleDay {
  metric: SampleId;
  utcDay: string;
  /** The ordinal of the device. */
  device: number;
}
export interface StoredSampleDay extends SampleDay {
  samples: StoredSample[];
  /** The revision of the metric's row; 0 if there is none. */
  revision: number;
}

export const formatSampleDayId = ({ metric, utcDay, device }: SampleDay): string => `${metric}#${utcDay}#${device}`;
