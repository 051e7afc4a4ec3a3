// Registering, changing and removing webhook endpoints. A foreign endpoint and a missing one are the same thing here.

import { targetProblem } from '../platform/egress/target.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { ConditionFailed, TransactionRefused } from '../platform/ports.ts';
import { timestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { WebhookId } from '../system/ids.ts';
import { newId } from '../system/new-id.ts';
import { conditionalCommit } from '../system/store.ts';
import { wakeCatchUp } from './circuit-breaker.ts';
import { secretOverlapMs } from './delivery-backoff.ts';
import { deliveryRows } from './delivery-rows.ts';
import { makeSecret, sealSecret, signingSecrets } from './signature.ts';
import {
  type ListedWebhook,
  mostWebhooks,
  type NewWebhook,
  type Webhook,
  type WebhookPatch,
  type WebhookWithSecret,
} from './webhook.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

/** More signatures than this in one header would only be noise. */
const mostSecrets = 4;

export async function ownWebhook(deps: Deps, caller: Caller, webhookId: string): Promise<WebhookRow> {
  const row = WebhookId.safeParse(webhookId).success
    ? await webhookRows(deps.store).byId(caller.account, caller.env, webhookId)
    : undefined;
  if (!row) throw new Failure('not_found', `Webhook ${webhookId.slice(0, 64)} not found.`);
  return row;
}

export async function registerWebhook(deps: Deps, caller: Caller, input: NewWebhook): Promise<WebhookWithSecret> {
  const now = deps.clock.now();
  const id = newId(deps, 'webhook');
  const secret = makeSecret(deps);
  const row: WebhookRow = {
    id,
    account: caller.account,
    env: caller.env,
    url: acceptedUrl(deps, input.url),
    events: input.events,
    status: 'active',
    statusMs: now,
    disabledReason: null,
    description: input.description ?? null,
    createdMs: now,
    secrets: [{ sealed: sealSecret(deps, id, secret), untilMs: null }],
    lastDeliveryMs: null,
    revision: 0,
    failures: 0,
    openUntilMs: 0,
  };
  try {
    await deps.store.commit(webhookRows(deps.store).inserting(row));
  } catch (error) {
    throw isFull(error) ? limitReached(error) : error;
  }
  return { ...presentWebhook(row), secret };
}

export async function listWebhooks(deps: Deps, caller: Caller): Promise<ListedWebhook[]> {
  return (await webhookRows(deps.store).ofEnvironment(caller.account, caller.env)).map(listedWebhook);
}

export async function getWebhook(deps: Deps, caller: Caller, webhookId: string): Promise<ListedWebhook> {
  return listedWebhook(await ownWebhook(deps, caller, webhookId));
}

export async function updateWebhook(
  deps: Deps,
  caller: Caller,
  webhookId: string,
  patch: WebhookPatch,
): Promise<Webhook> {
  const url = patch.url === undefined ? undefined : acceptedUrl(deps, patch.url);
  const after = await changed(deps, caller, webhookId, (row) => {
    const status = patch.status ?? row.status;
    return {
      ...row,
      url: url ?? row.url,
      events: patch.events ?? row.events,
      description: patch.description === undefined ? row.description : patch.description,
      status,
      statusMs: status === row.status ? row.statusMs : deps.clock.now(),
      disabledReason: status === 'disabled' ? row.disabledReason : null,
    };
  });
  if (url !== undefined && after.behindFrom !== undefined) await wakeCatchUp(deps, after, 0);
  return presentWebhook(after);
}

/** From the answer on nothing more is sent: whoever wants to send looks for the endpoint first. The sweep erases its deliveries. */
export async function deleteWebhook(deps: Deps, caller: Caller, webhookId: string): Promise<void> {
  const row = await ownWebhook(deps, caller, webhookId);
  await conditionalCommit(deps.store, [
    ...webhookRows(deps.store).removing(row),
    deliveryRows(deps.store).owingErasure(row.id, deps.clock.now()),
  ]);
}

export async function rotateSecret(deps: Deps, caller: Caller, webhookId: string): Promise<WebhookWithSecret> {
  const secret = makeSecret(deps);
  const row = await changed(deps, caller, webhookId, (before) => {
    const now = deps.clock.now();
    const overlapping = signingSecrets(before, now).map(({ sealed, untilMs }) => ({
      sealed,
      untilMs: untilMs ?? now + secretOverlapMs,
    }));
    const fresh = { sealed: sealSecret(deps, before.id, secret), untilMs: null };
    return { ...before, secrets: [fresh, ...overlapping].slice(0, mostSecrets) };
  });
  return { ...presentWebhook(row), secret };
}

/** Reads and writes again when another change came between; writes nothing when nothing changes. */
async function changed(
  deps: Deps,
  caller: Caller,
  webhookId: string,
  change: (row: WebhookRow) => WebhookRow,
): Promise<WebhookRow> {
  return optimisticRetry({ what: `webhook ${webhookId}`, retries: 5 }, async () => {
    const before = await ownWebhook(deps, caller, webhookId);
    const after = change(before);
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    await deps.store.commit([webhookRows(deps.store).changing(before, after, deps.clock.now())]);
    return after;
  });
}

function acceptedUrl(deps: Deps, text: string): string {
  const problem = targetProblem(text, { loopback: deps.place.kind === 'local' });
  if (problem === undefined) return new URL(text).href;
  throw new Failure('invalid_body', `The body is invalid: url: ${problem}.`, {
    details: { issues: [{ path: 'url', message: problem }] },
  });
}

const isFull = (error: unknown): boolean =>
  error instanceof TransactionRefused && error.failed[0] instanceof ConditionFailed;
const limitReached = (cause: unknown): Failure =>
  new Failure(
    'limit_reached',
    `This environment already has the maximum of ${mostWebhooks} webhooks. Delete one first.`,
    {
      details: { limit: mostWebhooks },
      cause,
    },
  );

const presentWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  status: row.status,
  disabled_reason: row.disabledReason,
  description: row.description,
  created_at: timestamp(row.createdMs),
});

const listedWebhook = (row: WebhookRow): ListedWebhook => ({
  ...presentWebhook(row),
  last_delivery_at: row.lastDeliveryMs === null ? null : timestamp(row.lastDeliveryMs),
});
