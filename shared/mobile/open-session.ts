// A backend opens a session for an installation. Repeating a request returns the same response; a
// different request for a known installation recovers its session.

import { createHash } from 'node:crypto';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import { providerDescriptors } from '../providers/catalog.ts';
import { uploadLimits } from '../providers/kit/upload-limits.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { commitWithMakerCheck, madeCredentialRows } from '../system/made-credential-rows.ts';
import type { Maker } from '../system/maker.ts';
import { type UserRow, userRows } from '../users/user-rows.ts';
import { getAuthorizedUser } from '../users/users.ts';
import { buildCountSession, maxSessionConflicts } from './count-session.ts';
import { clientTokenLifetimeMs, makeSdkToken } from './credentials.ts';
import { buildMakeRoom } from './make-room-for-session.ts';
import type { SdkBootstrap, SdkSessionRequest } from './sdk-session.ts';
import { type IdempotencyRow, type SdkSessionRow, sdkSessionRows, toMadeCredential } from './sdk-session-rows.ts';

const idempotencyRetentionMs = 24 * 3600 * 1000;
/** How long a session that no phone has claimed can still be recovered. */
const pendingLifetimeMs = clientTokenLifetimeMs + 24 * 3600 * 1000;

export interface OpenedSession {
  created: boolean;
  bootstrap: SdkBootstrap;
}

export async function openSession(
  deps: Deps,
  caller: Caller,
  request: { userId: string; idempotencyKey: string; body: SdkSessionRequest; origin: string },
): Promise<OpenedSession> {
  const { body } = request;
  const bodyHash = hashBody(body);
  return optimisticRetry({ what: 'an SDK session', retries: maxSessionConflicts }, async () => {
    const user = await getAuthorizedUser(deps, caller, request.userId);
    const toResult = (row: IdempotencyRow, created: boolean): OpenedSession => ({
      created,
      bootstrap: buildBootstrap(deps, user.id, body, row, request.origin),
    });
    const key = scopeKey(request.idempotencyKey, user, caller);
    const before = await sdkSessionRows(deps.store).findIdempotency(user.id, key);
    if (before) return toResult(assertSameBody(before, bodyHash), false);

    const { row, writes, created } = await openOrRecover(deps, user, body, caller.maker ?? null);
    const idempotencyRow: IdempotencyRow = {
      bodyHash,
      session: row.id,
      nonce: row.clientNonce ?? '',
      clientExpiresMs: row.clientExpiresMs,
      expiresMs: deps.clock.now() + idempotencyRetentionMs,
    };
    await commitWithMakerCheck(
      deps.store,
      [
        sdkSessionRows(deps.store).buildPutIdempotency(user.id, key, idempotencyRow),
        created ? buildCountSession(user) : userRows(deps.store).buildActiveCheck(user.id),
        ...writes,
      ],
      madeCredentialRows(deps.store).buildForCaller(caller, toMadeCredential(row)),
    );
    return toResult(idempotencyRow, created);
  });
}

/**
 * Responses from before the user stopped sharing are not replayed, because their token is invalid.
 * Nor are those of another colleague, or from before a colleague's access was reset: what they made
 * ends with them.
 */
function scopeKey(idempotencyKey: string, { sharingEpoch }: UserRow, { maker }: Pick<Caller, 'maker'>): string {
  const key = sharingEpoch === 0 ? idempotencyKey : `${idempotencyKey}#${sharingEpoch}`;
  return maker === undefined ? key : `${key}#${maker.colleague}#${maker.epoch}`;
}

type SessionUser = Pick<UserRow, 'id' | 'account' | 'env' | 'sharingEpoch'>;

async function openOrRecover(deps: Deps, user: SessionUser, body: SdkSessionRequest, maker: Maker | null) {
  const now = deps.clock.now();
  const known = await sdkSessionRows(deps.store).findByInstallation(user.id, body.installation_id, body.provider);
  const session = known === undefined ? undefined : await sdkSessionRows(deps.store).findById(user.id, known);
  const pendingFields = {
    clientNonce: Buffer.from(deps.random.bytes(16)).toString('base64url'),
    clientExpiresMs: now + clientTokenLifetimeMs,
    appId: body.app_id,
    platform: body.platform,
    scopes: null,
    sharingEpoch: user.sharingEpoch,
    maker,
  };
  if (session) {
    const row = { ...session, ...pendingFields, endsMs: Math.max(session.endsMs, now + pendingLifetimeMs) };
    return { row, writes: sdkSessionRows(deps.store).buildRecover(session, row), created: false };
  }
  const row: SdkSessionRow = {
    ...newSession(deps, user),
    ...pendingFields,
    installationId: body.installation_id,
    provider: body.provider,
    endsMs: now + pendingLifetimeMs,
  };
  const writes = [...sdkSessionRows(deps.store).buildInsert(row, known), ...(await buildMakeRoom(deps, row))];
  return { row, writes, created: true };
}

/** A session in its initial state. */
export function newSession(deps: Pick<Deps, 'clock' | 'random'>, user: SessionUser): SdkSessionRow {
  const now = deps.clock.now();
  return {
    id: uuidFrom(deps.random.bytes(16)),
    user: user.id,
    account: user.account,
    env: user.env,
    status: 'pending',
    appId: null,
    installationId: null,
    platform: null,
    provider: 'apple_health',
    scopes: null,
    createdMs: now,
    lastSeenMs: null,
    clientNonce: null,
    clientExpiresMs: 0,
    refreshSeq: 0,
    validFrom: 0,
    rotatedMs: 0,
    graceUsed: true,
    endsMs: 0,
    fullAtMs: 0,
    changedBy: null,
    sharingEpoch: user.sharingEpoch,
    maker: null,
  };
}

function buildBootstrap(
  deps: Deps,
  userId: string,
  { provider }: SdkSessionRequest,
  { session, nonce, clientExpiresMs }: IdempotencyRow,
  origin: string,
): SdkBootstrap {
  return {
    session_id: session,
    status: 'pending',
    client_token: makeSdkToken(deps, 'client', {
      user: userId,
      session,
      nonceOrSeq: nonce,
      expiresMs: clientExpiresMs,
    }),
    expires_at: formatTimestamp(clientExpiresMs),
    user_id: userId,
    upload: {
      url: `${origin}/v1/sdk/data`,
      max_batch_bytes: uploadLimits.wireBytes,
      history_days: providerDescriptors[provider].historyDays,
    },
  };
}

function assertSameBody(row: IdempotencyRow, bodyHash: string): IdempotencyRow {
  if (row.bodyHash !== bodyHash)
    throw new Failure(
      'idempotency_conflict',
      'This Idempotency-Key was already used with a different body. Use a new key for a new request.',
    );
  return row;
}

const hashBody = ({ app_id, installation_id, platform, provider }: SdkSessionRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([app_id, installation_id.toLowerCase(), platform, provider]))
    .digest('base64url');

/** Builds a version 4 UUID: random bytes, with the version and variant bits set. */
function uuidFrom(random: Uint8Array): string {
  const bytes = Buffer.from(random.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
