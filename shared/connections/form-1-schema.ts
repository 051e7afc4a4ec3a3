// A device that is waiting for consent, in Form 1.
import * as z from 'zod';
import { PendingDevice } from './connection.ts';

export const PendingDeviceEnvelope = z
  .object({ data: PendingDevice })
  .meta({ id: 'PendingDeviceEnvelope', description: "A device that is waiting for the user's consent." });
export type PendingDeviceEnvelope = z.infer<typeof PendingDeviceEnvelope>;
