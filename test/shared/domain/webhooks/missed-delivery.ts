import type { Environment } from '../../../../shared/model/account.ts';
import { makeId } from '../../../../shared/model/ids.ts';
import type { DeliveryRow } from '../../../../shared/store/deliveries.ts';

/** What is left of an event that came while its endpoint was paused. */
export function missedDelivery(
  { webhook, account, env }: { webhook: string; account: string; env: Environment },
  createdMs: number,
): DeliveryRow {
  const newId = (kind: 'delivery' | 'event') => makeId(kind, createdMs, crypto.getRandomValues(new Uint8Array(10)));
  const eventId = newId('event');
  return {
    id: newId('delivery'),
    webhook,
    account,
    env,
    eventId,
    eventType: 'data.updated',
    body: JSON.stringify({ event_id: eventId }),
    status: 'missed',
    createdMs,
    attempts: [],
    tries: 0,
    claimed: false,
    claims: 0,
  };
}
