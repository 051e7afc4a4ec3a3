// Renders a device as the source of a value or session.

import type { DeviceRow } from '../../users/device-rows.ts';
import type { SessionSource } from './source.ts';

export const presentDevice = ({ provider, id }: DeviceRow): SessionSource => ({ provider, device_id: id });
