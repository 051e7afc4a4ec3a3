// The samples of one metric, UTC day and device, wherever they are stored.
import type { SampleId } from '../../catalog/metrics.ts';
import type { StoredSample } from '../codec/sample-block.ts';

export interface SampleDay {
  metric: SampleId;
  utcDay: string;
  /** The device's ordinal. */
  device: number;
}
export interface StoredSampleDay extends SampleDay {
  samples: StoredSample[];
  /** Of the metric's row; 0 where there is none. */
  revision: number;
}

export const formatSampleDayId = ({ metric, utcDay, device }: SampleDay): string => `${metric}#${utcDay}#${device}`;
