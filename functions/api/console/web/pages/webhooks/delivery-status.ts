// The statuses of a delivery, and how each is marked.
import type { Schemas } from '../../api/client.ts';
import type { Tone } from '../../parts/status.tsx';

export type ListedDelivery = Schemas['WebhookDelivery'];

export const deliveryStatuses = ['pending', 'delivered', 'exhausted', 'failed'] as const;

export const deliveryTones: Readonly<Record<ListedDelivery['status'], Tone>> = {
  pending: 'waiting',
  delivered: 'good',
  exhausted: 'bad',
  failed: 'bad',
};
