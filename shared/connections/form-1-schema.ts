// A device that waits for consent, as Form 1 shows it.
import * as z from 'zod';
import { PendingDevice } from './connection.ts';

export const PendingDeviceEnvelope = z
  .object({ data: PendingDevice })
  .meta({ id: 'PendingDeviceEnvelope', description: 'A device that waits for the consent of the person.' });
export type PendingDeviceEnvelope = z.infer<typeof PendingDeviceEnvelope>;
