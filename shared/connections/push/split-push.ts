// Stores a push that concerns many users in chunks, before any user is looked up, so that it can be
// acknowledged at once. Workers then look up the users of each chunk.

import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { CloudProviderId } from '../../catalog/provider.ts';
import { awaitAll } from '../../platform/await-all.ts';
import { chunkArray } from '../../platform/chunk-array.ts';
import type { PushNotification } from '../../providers/kit/push.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { newId } from '../../system/new-id.ts';
import { wakeWorker } from '../../system/wake-worker.ts';
import { connectionRows } from '../connection-rows.ts';
import { pushChunkRows } from './push-chunk-rows.ts';
import { recordNotifications } from './record-notifications.ts';

const accountsPerBatch = 16;
/** What a worker can process in a few seconds. */
const maxAccountsPerChunk = 1_000;
/** Compressed, a chunk of this length always fits into one item of the table. */
const maxChunkCharacters = 100_000;
const gzipOptions = { level: 1 };

export interface AccountNotifications {
  account: string;
  notifications: readonly PushNotification[];
}

const StoredNotification = z.discriminatedUnion('what', [
  z.object({
    account: z.string(),
    what: z.literal('data'),
    page: z.object({ resource: z.string(), text: z.string(), parameter: z.string().exactOptional() }),
  }),
  z.object({ account: z.string(), what: z.literal('days'), from: z.string(), to: z.string() }),
  z.object({ account: z.string(), what: z.literal('object'), resource: z.string(), id: z.string() }),
  z.object({ account: z.string(), what: z.literal('deleted'), kind: z.enum(['sleep', 'workouts']), id: z.string() }),
  z.object({ account: z.string(), what: z.literal('ended') }),
]) satisfies z.ZodType<PushNotification>;
const StoredAccounts = z.array(z.object({ account: z.string(), notifications: z.array(StoredNotification) }));

/** The push is stored durably when this returns. */
export async function splitPush(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  accounts: readonly AccountNotifications[],
): Promise<void> {
  const { chunks, oversized } = splitIntoChunks(accounts);
  const packedChunks = chunks.map((text) => ({
    chunkId: newId(deps, 'pushChunk'),
    packed: gzipSync(text, gzipOptions),
  }));
  const nowMs = deps.clock.now();
  await awaitAll([
    ...packedChunks.map(({ chunkId, packed }) =>
      pushChunkRows(deps.store).put(chunkId, { provider, env, accounts: packed }, nowMs),
    ),
    ...oversized.map((accountNotifications) => recordForAccount(deps, provider, env, accountNotifications)),
  ]);
  // Wake the workers only now, so that they do not interfere with chunks that are still being
  // written.
  await Promise.all(packedChunks.map(({ chunkId }) => wakeWorker(deps, 'connection', { chunk_id: chunkId })));
}

/**
 * Returns the chunks as text. Accounts that are too long for a chunk are few, given the maximum
 * size of a push.
 */
function splitIntoChunks(accounts: readonly AccountNotifications[]): {
  chunks: string[];
  oversized: AccountNotifications[];
} {
  const oversized: AccountNotifications[] = [];
  const chunks: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const accountNotifications of accounts) {
    const text = JSON.stringify(accountNotifications);
    if (text.length > maxChunkCharacters) {
      oversized.push(accountNotifications);
      continue;
    }
    characters += text.length;
    const last = chunks.at(-1);
    if (last && last.length < maxAccountsPerChunk && characters <= maxChunkCharacters) last.push(text);
    else {
      chunks.push([text]);
      characters = text.length;
    }
  }
  return { chunks: chunks.map((texts) => `[${texts.join(',')}]`), oversized };
}

/**
 * Tries every account, even when some fail. If any fails, the chunk stays and is processed again in
 * full.
 */
export async function processPushChunk(deps: Deps, chunkId: string): Promise<void> {
  const row = await pushChunkRows(deps.store).find(chunkId);
  if (!row) return;
  const { provider, env } = row;
  const failures: unknown[] = [];
  for (const batch of chunkArray(
    StoredAccounts.parse(JSON.parse(gunzipSync(row.accounts).toString())),
    accountsPerBatch,
  )) {
    const outcomes = await Promise.allSettled(
      batch.map((accountNotifications) => recordForAccount(deps, provider, env, accountNotifications)),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') failures.push(outcome.reason);
  }
  if (failures.length > 0) throw failures[0];
  await pushChunkRows(deps.store).remove(chunkId);
}

async function recordForAccount(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  { account, notifications }: AccountNotifications,
): Promise<void> {
  const links = await connectionRows(deps.store).listLinkedDevices(provider, env, account);
  for (const batch of chunkArray(links, accountsPerBatch))
    await awaitAll(batch.map((link) => recordNotifications(deps, provider, link, notifications)));
}
