// A device as whoever asks where something came from sees it.

import type { DeviceRow } from '../../users/device-rows.ts';
import type { SessionSource } from './source.ts';

export const presentDevice = ({ provider, id }: DeviceRow): SessionSource => ({ provider, device_id: id });
