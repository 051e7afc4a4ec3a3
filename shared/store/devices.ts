// Devices stand in the head of their user's partition and are read with the user.
import * as z from 'zod';
import type { Item } from '../engine/ports.ts';

export const DeviceRow = z.object({
  id: z.string(),
  provider: z.string(),
  status: z.enum(['pending', 'active', 'failed']),
  connectedMs: z.number().nullable(),
  lastSyncMs: z.number().nullable(),
});
export type DeviceRow = z.infer<typeof DeviceRow>;

export function deviceRows() {
  return {
    fromHead: (items: Item[]): DeviceRow[] =>
      items
        .filter((item) => typeof item.sk === 'string' && item.sk.startsWith('@DEVICE#'))
        .map((item) => DeviceRow.parse(item)),
  };
}
