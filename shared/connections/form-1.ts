import * as z from 'zod';
import { PendingDevice } from './connection.ts';

// Wraps a device that is waiting for consent in the Form 1 envelope.

import type { Renderer } from '../platform/presenter.ts';
export const form1PendingDevice: Renderer<unknown, PendingDevice, PendingDeviceEnvelope> = {
  render: (pending) => ({ data: pending }),
};

export const PendingDeviceEnvelope = z
  .object({ data: PendingDevice })
  .meta({ id: 'PendingDeviceEnvelope', description: "A device that is waiting for the user's consent." });
export type PendingDeviceEnvelope = z.infer<typeof PendingDeviceEnvelope>;
