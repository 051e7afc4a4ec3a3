// An event becomes one delivery for every endpoint that subscribes to it; then nothing more is owed for it. The same event again makes nothing new.
import { createHash } from 'node:crypto';
import { EngineUnavailable } from '../../engine/ports.ts';
import type { PublishedEvent } from '../../model/feed-event.ts';
import { makeId } from '../../model/ids.ts';
import type { Job } from '../../model/jobs.ts';
import { type DeliveryRow, deliveryRows } from '../../store/deliveries.ts';
import { messageGraceMs } from '../../store/due.ts';
import { eventRows } from '../../store/events.ts';
import { type WebhookRow, webhookRows } from '../../store/webhooks.ts';
import type { Deps } from '../deps.ts';

/** As long as deliveries are kept; what an endpoint misses after that could not be recovered anyway. */
const rememberedMs = 30 * 24 * 3600 * 1000;

export async function fanOut(deps: Deps, { account, env, event }: PublishedEvent): Promise<void> {
  const now = deps.clock.now();
  const hooks = await webhookRows(deps.store).ofEnvironment(account, env);
  const told = hooks.filter((hook) => isTold(hook, event, now));
  const rows = told.map((hook): DeliveryRow => {
    const isActive = hook.status === 'active';
    return {
      id: deliveryId(event.event_id, Date.parse(event.timestamp), hook.id),
      webhook: hook.id,
      account,
      env,
      eventId: event.event_id,
      eventType: event.event_type,
      body: JSON.stringify(event),
      status: isActive ? 'pending' : 'missed',
      createdMs: now,
      attempts: [],
      tries: 0,
      ...(isActive ? { dueMs: now } : {}),
      claimed: false,
      claims: 0,
    };
  });
  const fresh = await Promise.all(rows.map((row) => deliveryRows(deps.store).insert(row, now + messageGraceMs)));
  await wakeDeliveries(
    deps,
    rows.filter((row, index) => fresh[index] && row.status === 'pending'),
  );
  await eventRows(deps.store).forget(event.event_id);
}

/** An endpoint is not told of its own troubles: that would be one more delivery that fails. */
const isTold = (hook: WebhookRow, event: PublishedEvent['event'], nowMs: number): boolean =>
  (hook.events.includes('*') || hook.events.includes(event.event_type)) &&
  hook.id !== event.webhook_id &&
  (hook.status === 'active' || nowMs - hook.statusMs < rememberedMs);

/** Always the same for an event and an endpoint, and in the order of the events. */
function deliveryId(eventId: string, atMs: number, webhookId: string): string {
  return makeId('delivery', atMs, createHash('sha256').update(`${eventId}.${webhookId}`).digest());
}

export async function wakeDeliveries(deps: Deps, rows: Pick<DeliveryRow, 'webhook' | 'id'>[]): Promise<void> {
  if (rows.length === 0) return;
  const jobs = rows.map((row): Job<'deliver'> => ({ webhook_id: row.webhook, delivery_id: row.id }));
  try {
    await deps.queue.sendAll('deliver', jobs);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    deps.log('warn', 'could not wake deliveries; the sweep will', { count: jobs.length, error });
  }
}
