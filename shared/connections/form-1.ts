// Wraps a device that is waiting for consent in the Form 1 envelope.

import type { Renderer } from '../platform/presenter.ts';
import type { PendingDevice } from './connection.ts';
import type { PendingDeviceEnvelope } from './form-1-schema.ts';

export const form1PendingDevice: Renderer<unknown, PendingDevice, PendingDeviceEnvelope> = {
  render: (pending) => ({ data: pending }),
};
