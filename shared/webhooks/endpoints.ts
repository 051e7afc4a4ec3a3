// Creates, updates and deletes webhook endpoints. An endpoint of another account is treated as
// missing.

import { findTargetProblem } from '../platform/egress/target.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { ConditionFailed, TransactionCanceled, type Write } from '../platform/ports.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import { type Caller, canSeeValues } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { WebhookId } from '../system/ids.ts';
import { buildMakerCheck, commitWithMakerCheck } from '../system/made-credential-rows.ts';
import { newId } from '../system/new-id.ts';
import { commitConditionally } from '../system/store.ts';
import { wakeCatchUp } from './circuit-breaker.ts';
import { secretOverlapMs } from './delivery-backoff.ts';
import { deliveryRows } from './delivery-rows.ts';
import { oldestMs } from './feed-gaps.ts';
import { listEndpoints } from './list-endpoints.ts';
import { makeSecret, sealSecret, signingSecrets } from './signature.ts';
import {
  type ListedWebhook,
  maxWebhooks,
  type NewWebhook,
  type Webhook,
  type WebhookPatch,
  type WebhookWithSecret,
} from './webhook.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

/** More signatures than this in one header would be pointless. */
const maxSecrets = 4;

export async function getAuthorizedWebhook(deps: Deps, caller: Caller, webhookId: string): Promise<WebhookRow> {
  const row = WebhookId.safeParse(webhookId).success
    ? await webhookRows(deps.store).findById(caller.account, caller.env, webhookId)
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
    url: validateUrl(deps, input.url),
    events: input.events,
    status: 'active',
    statusMs: now,
    disabledReason: null,
    description: input.description ?? null,
    createdMs: now,
    secrets: [{ sealed: sealSecret(deps, id, secret), untilMs: null, madeBy: caller.maker?.colleague ?? null }],
    lastDeliveryMs: null,
    revision: 0,
    failures: 0,
    openUntilMs: 0,
  };
  try {
    await commitWithMakerCheck(deps.store, webhookRows(deps.store).buildInsert(row), buildCallerCheck(caller));
  } catch (error) {
    throw isLimitExceeded(error) ? limitReached(error) : error;
  }
  return { ...presentWebhook(row), secret };
}

export async function listWebhooks(deps: Deps, caller: Caller): Promise<ListedWebhook[]> {
  const rows = await listEndpoints(deps, caller);
  return rows.map((row) => presentListedWebhook(row, caller));
}

export async function getWebhook(deps: Deps, caller: Caller, webhookId: string): Promise<ListedWebhook> {
  return presentListedWebhook(await getAuthorizedWebhook(deps, caller, webhookId), caller);
}

export async function updateWebhook(
  deps: Deps,
  caller: Caller,
  webhookId: string,
  patch: WebhookPatch,
): Promise<Webhook> {
  const url = patch.url === undefined ? undefined : validateUrl(deps, patch.url);
  const after = await changeWebhook(deps, caller, webhookId, (row) => {
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
  if (url !== undefined && after.gaps !== undefined) await wakeCatchUp(deps, after, 0);
  return presentWebhook(after);
}

/**
 * Nothing is sent after the response: a worker looks up the endpoint before it sends. The sweep
 * erases its deliveries.
 */
export async function deleteWebhook(deps: Deps, caller: Caller, webhookId: string): Promise<void> {
  const row = await getAuthorizedWebhook(deps, caller, webhookId);
  await commitConditionally(deps.store, [
    ...webhookRows(deps.store).buildRemove(row),
    deliveryRows(deps.store).buildRequestErasure(row.id, deps.clock.now()),
  ]);
}

export async function rotateSecret(deps: Deps, caller: Caller, webhookId: string): Promise<WebhookWithSecret> {
  const secret = makeSecret(deps);
  const row = await changeWebhook(deps, caller, webhookId, (before) => {
    const now = deps.clock.now();
    const overlapping = signingSecrets(before, now).map(({ sealed, untilMs, madeBy }) => ({
      sealed,
      madeBy,
      untilMs: untilMs ?? now + secretOverlapMs,
    }));
    const fresh = {
      sealed: sealSecret(deps, before.id, secret),
      untilMs: null,
      madeBy: caller.maker?.colleague ?? null,
    };
    return { ...before, secrets: [fresh, ...overlapping].slice(0, maxSecrets) };
  });
  return { ...presentWebhook(row), secret };
}

/** A secret that a colleague sees is listed when their access ends, so it is not made afterwards. */
const buildCallerCheck = ({ maker }: Caller): Write[] => (maker === undefined ? [] : [buildMakerCheck(maker)]);

/** Retries if the row has changed in the meantime; writes nothing if nothing changes. */
async function changeWebhook(
  deps: Deps,
  caller: Caller,
  webhookId: string,
  change: (row: WebhookRow) => WebhookRow,
): Promise<WebhookRow> {
  return optimisticRetry({ what: `webhook ${webhookId}`, retries: 5 }, async () => {
    const before = await getAuthorizedWebhook(deps, caller, webhookId);
    const after = change(before);
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    const update = webhookRows(deps.store).buildUpdate(before, after, deps.clock.now());
    await commitWithMakerCheck(deps.store, [update], after.secrets === before.secrets ? [] : buildCallerCheck(caller));
    return after;
  });
}

function validateUrl(deps: Deps, text: string): string {
  const problem = findTargetProblem(text, { loopback: deps.deployment.kind === 'local' });
  if (problem === undefined) return new URL(text).href;
  throw new Failure('invalid_body', `The body is invalid: url: ${problem}.`, {
    details: { issues: [{ path: 'url', message: problem }] },
  });
}

const isLimitExceeded = (error: unknown): boolean =>
  error instanceof TransactionCanceled && error.failures[0] instanceof ConditionFailed;
const limitReached = (cause: unknown): Failure =>
  new Failure(
    'limit_reached',
    `This environment already has the maximum of ${maxWebhooks} webhooks. Delete one first.`,
    {
      details: { limit: maxWebhooks },
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
  created_at: formatTimestamp(row.createdMs),
});

const presentListedWebhook = (row: WebhookRow, caller: Caller): ListedWebhook => ({
  ...presentWebhook(row),
  url: canSeeValues(caller) ? row.url : omitSecrets(row.url),
  last_delivery_at: row.lastDeliveryMs === null ? null : formatTimestamp(row.lastDeliveryMs),
  failing_since: row.failingSinceMs === undefined ? null : formatTimestamp(row.failingSinceMs),
  behind_since: presentBehindSince(row),
});

function presentBehindSince({ gaps = [] }: WebhookRow): string | null {
  const sinceMs = oldestMs(gaps);
  return sinceMs === undefined ? null : formatTimestamp(sinceMs);
}

/** Receivers put their own tokens into the query. */
function omitSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
