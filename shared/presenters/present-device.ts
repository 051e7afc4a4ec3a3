// A device as whoever asks where something came from sees it.
import type { SessionSource } from '../model/source.ts';
import type { DeviceRow } from '../store/devices.ts';

export const presentDevice = ({ provider, id }: DeviceRow): SessionSource => ({ provider, device_id: id });
