// A device that waits for consent, in its envelope.

import type { Presenter } from '../platform/presenter.ts';
import type { PendingDevice } from './connection.ts';
import type { PendingDeviceEnvelope } from './form-1-schema.ts';

export const form1PendingDevice: Presenter<unknown, PendingDevice, PendingDeviceEnvelope> = {
  present: (pending) => ({ data: pending }),
};
