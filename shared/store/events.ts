// The outbox: an event is a row written with the change it tells of, due for publishing until it is published.
import type { Write } from '../engine/ports.ts';
import type { NewEvent } from '../model/event.ts';
import { dues, keys } from './keys.ts';

export function eventRows() {
  return {
    inserting: (event: NewEvent): Write => ({
      kind: 'put',
      item: {
        ...keys.event(event.id),
        id: event.id,
        type: event.type,
        account: event.account,
        env: event.env,
        atMs: event.atMs,
        ...(event.userId === undefined ? {} : { user: event.userId }),
        ...(event.deviceId === undefined ? {} : { device: event.deviceId }),
        ...(event.metrics === undefined ? {} : { metrics: event.metrics }),
        ...(event.more === undefined ? {} : { more: event.more }),
        duePk: dues.publish,
        dueSk: event.id,
      },
      condition: 'attribute_not_exists(#pk)',
    }),
  };
}
