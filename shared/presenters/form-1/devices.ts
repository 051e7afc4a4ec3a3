// A device that waits for consent, in its envelope.
import type { PendingDevice } from '../../model/connection.ts';
import type { PendingDeviceEnvelope } from '../../model/form-1/device.ts';
import type { Presenter } from '../face.ts';

export const form1PendingDevice: Presenter<unknown, PendingDevice, PendingDeviceEnvelope> = {
  present: (pending) => ({ data: pending }),
};
