// Sessions of the Mobile SDK. A row contains numbers and nonces, never a credential: credentials
// are derived from it with the deployment's secret.
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { StoredScopes } from '../catalog/mobile-scopes.ts';
import { SdkPlatform, SdkProviderId } from '../catalog/provider.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Value, Write } from '../platform/ports.ts';
import { createRowBuckets } from '../platform/rate-bucket.ts';
import { sdkSessionRateLimit } from '../platform/rate-limit.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import { Environment } from '../system/caller.ts';
import { keys, userPartition } from '../system/keys.ts';
import { madeCredentialRows } from '../system/made-credential-rows.ts';
import { Maker } from '../system/maker.ts';
import { repository } from '../system/store.ts';

export const SdkSessionRow = z.object({
  id: z.string(),
  user: z.string(),
  account: z.string(),
  env: Environment,
  status: z.enum(['pending', 'active']),
  appId: z.string().nullable(),
  installationId: z.string().nullable(),
  platform: SdkPlatform.nullable(),
  provider: SdkProviderId,
  scopes: StoredScopes,
  createdMs: z.number(),
  lastSeenMs: z.number().nullable(),
  /** The nonce of the only client token that can still be exchanged. */
  clientNonce: z.string().nullable(),
  clientExpiresMs: z.number(),
  /** Counts the credential pairs; only the refresh token of the newest pair is current. */
  refreshSeq: z.number(),
  /** Pairs before this one are invalid, because the session was recovered since. */
  validFrom: z.number(),
  /** When the newest pair was issued. */
  rotatedMs: z.number(),
  /** Whether the pair before the newest one has lost its grace, which allows one more use. */
  graceUsed: z.boolean(),
  /** The session cannot be used from this time on. */
  endsMs: z.number(),
  fullAtMs: z.number(),
  /** Identifies the last change that can be made only once. */
  changedBy: z.string().nullable(),
  /**
   * The user's sharing epoch when the session was opened: the session ends when the user stops
   * sharing.
   */
  sharingEpoch: z.number(),
  /** The colleague who opened or last recovered the session; null if it was an API key. */
  maker: Maker.nullable(),
});
export type SdkSessionRow = z.infer<typeof SdkSessionRow>;

/** Every field that `buildRecover` does not take from the row. It stores all others: the compiler asks. */
type FieldKeptByRecovery =
  | 'id'
  | 'user'
  | 'account'
  | 'env'
  | 'status'
  | 'installationId'
  | 'provider'
  | 'createdMs'
  | 'lastSeenMs'
  | 'refreshSeq'
  | 'validFrom'
  | 'rotatedMs'
  | 'fullAtMs';

export const IdempotencyRow = z.object({
  bodyHash: z.string(),
  session: z.string(),
  nonce: z.string(),
  clientExpiresMs: z.number(),
  expiresMs: z.number(),
});
export type IdempotencyRow = z.infer<typeof IdempotencyRow>;

export type SessionAdmission =
  | { outcome: 'admitted' | 'limited'; session: SdkSessionRow; nowMs: number }
  | { outcome: 'unknown' };

/** The session in the list of its maker. */
export const toMadeCredential = ({ id, user, env, endsMs }: SdkSessionRow) =>
  ({ kind: 'sdk_session', id, user, env, expiresMs: endsMs }) as const;

const retentionAfterEndMs = 24 * 3600 * 1000;
const computeTtl = (ms: number): number => Math.ceil((ms + retentionAfterEndMs) / 1000);
const Pointer = z.object({ session: z.string() });

export const sdkSessionRows = repository((store) => {
  const { table, clock } = store;
  const buckets = createRowBuckets({ table, clock, row: SdkSessionRow });
  const isLive = (row: SdkSessionRow): boolean => row.endsMs > clock.now();
  const madeCredentials = madeCredentialRows(store);

  /** Removes the session from the list of its previous maker. */
  const buildRemoveFromMaker = (before: SdkSessionRow, after: SdkSessionRow): Write[] =>
    before.maker?.colleague === after.maker?.colleague
      ? []
      : madeCredentials.buildRemove(before.maker, toMadeCredential(before));

  const isValidFor = ({ status, validFrom }: SdkSessionRow, pair: number): boolean =>
    status === 'active' && validFrom <= pair;

  async function findById(user: string, session: string): Promise<SdkSessionRow | undefined> {
    const item = await table.get(keys.sdkSession(user, session), { consistent: true });
    const row = item && SdkSessionRow.parse(item);
    return row && isLive(row) ? row : undefined;
  }

  /** Returns the row after the change, or the row that prevented it. */
  async function updateSession(
    user: string,
    session: string,
    update: string,
    condition: string,
    values: Item,
  ): Promise<{ row: SdkSessionRow } | { instead: SdkSessionRow | undefined }> {
    const key = keys.sdkSession(user, session);
    const { applied, item } = await writeConditionally(table, { kind: 'update', key, update, condition, values });
    return applied ? { row: SdkSessionRow.parse(item) } : { instead: item && SdkSessionRow.parse(item) };
  }

  /**
   * Like `updateSession`, for changes that can be made only once. When the response to a write is
   * lost, the database client sends the write again, and it then conflicts with itself. The mark
   * detects that.
   */
  async function updateOnce(...[user, session, update, condition, values]: Parameters<typeof updateSession>) {
    const mark = randomBytes(9).toString('base64url');
    const outcome = await updateSession(user, session, `${update}, #changedBy = :mark`, condition, { ...values, mark });
    return 'instead' in outcome && outcome.instead?.changedBy === mark ? { row: outcome.instead } : outcome;
  }

  return {
    findById,

    /**
     * Checks authentication, revocation and rate limit of an access token in one conditional write.
     */
    async admit(user: string, session: string, pair: number): Promise<SessionAdmission> {
      const drawResult = await buckets.draw(clock.now(), {
        key: keys.sdkSession(user, session),
        policy: sdkSessionRateLimit,
        condition: '#status = :active AND #validFrom <= :pair',
        values: { active: 'active', pair },
        matches: (row) => isValidFor(row, pair),
        set: '#lastSeenMs = :now',
      });
      return drawResult.outcome === 'refused'
        ? { outcome: 'unknown' }
        : { outcome: drawResult.outcome, session: drawResult.row, nowMs: drawResult.nowMs };
    },

    async isCurrent(user: string, session: string, pair: number): Promise<boolean> {
      const row = await findById(user, session);
      return row !== undefined && isValidFor(row, pair);
    },

    /** Newest first. */
    async listByUser(user: string): Promise<SdkSessionRow[]> {
      const rows: SdkSessionRow[] = [];
      const foundItems = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: keys.sdkSession(user, '').sk },
        consistent: true,
      });
      for await (const item of foundItems) rows.push(SdkSessionRow.parse(item));
      return rows.filter(isLive).sort((a, b) => b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1));
    },

    /**
     * The response that the key returned before. It expires on time, even when the row still
     * exists.
     */
    async findIdempotency(user: string, key: string): Promise<IdempotencyRow | undefined> {
      const item = await table.get(keys.idempotency(user, key), { consistent: true });
      const row = item && IdempotencyRow.parse(item);
      return row && row.expiresMs > clock.now() ? row : undefined;
    },
    buildPutIdempotency: (user: string, key: string, row: IdempotencyRow): Write => ({
      kind: 'put',
      item: { ...keys.idempotency(user, key), ...row, ttl: Math.ceil(row.expiresMs / 1000) },
      condition: 'attribute_not_exists(#pk) OR #expiresMs <= :now',
      values: { now: clock.now() },
    }),

    /** The session of an installation, including one that has ended: its successor replaces it. */
    async findByInstallation(user: string, installation: string, provider: string): Promise<string | undefined> {
      const item = await table.get(keys.installation(user, installation, provider), { consistent: true });
      return item && Pointer.parse(item).session;
    },

    /** Fails when another session was opened for the installation in the meantime. */
    buildInsert(row: SdkSessionRow, replaced: string | undefined): Write[] {
      const session: Write = {
        kind: 'put',
        item: { ...keys.sdkSession(row.user, row.id), ...row, ttl: computeTtl(row.endsMs) },
        condition: 'attribute_not_exists(#pk)',
      };
      if (row.installationId === null) return [session];
      const pointer: Write = {
        kind: 'put',
        item: { ...keys.installation(row.user, row.installationId, row.provider), session: row.id },
        ...(replaced === undefined
          ? { condition: 'attribute_not_exists(#pk)' }
          : { condition: '#session = :replaced', values: { replaced } }),
      };
      return replaced === undefined
        ? [session, pointer]
        : [session, pointer, { kind: 'delete', key: keys.sdkSession(row.user, replaced) }];
    },
    /**
     * Gives the session a new client token. The previous one, and every credential, is invalid from
     * then on.
     */
    buildRecover(before: SdkSessionRow, row: SdkSessionRow): Write[] {
      const changes = {
        clientNonce: row.clientNonce,
        clientExpiresMs: row.clientExpiresMs,
        appId: row.appId,
        platform: row.platform,
        scopes: row.scopes,
        endsMs: row.endsMs,
        sharingEpoch: row.sharingEpoch,
        maker: row.maker,
        graceUsed: true,
        // An earlier change that is sent again must not recognize itself here.
        changedBy: null,
      } satisfies Record<Exclude<keyof SdkSessionRow, FieldKeptByRecovery>, Value>;
      const recover: Write = {
        kind: 'update',
        key: keys.sdkSession(row.user, row.id),
        update: `${buildSetClause(changes)}, #ttl = :ttl, #refreshSeq = #refreshSeq + :one, #validFrom = #refreshSeq + :one`,
        condition: '#refreshSeq = :read AND #endsMs <= :endsMs',
        values: { ...changes, ttl: computeTtl(row.endsMs), one: 1, read: before.refreshSeq },
      };
      return [recover, ...buildRemoveFromMaker(before, row)];
    },
    /** Restarts the session's credentials, as part of a larger transaction. */
    buildRestart: (before: SdkSessionRow, after: SdkSessionRow): Write[] => [
      {
        kind: 'put',
        item: { ...keys.sdkSession(after.user, after.id), ...after, ttl: computeTtl(after.endsMs) },
        condition: '#refreshSeq = :read',
        values: { read: before.refreshSeq },
      },
      ...buildRemoveFromMaker(before, after),
    ],

    /**
     * Exchanges the client token for the session's next credential pair. Returns undefined when the
     * token is used up or invalid.
     */
    async exchangeClientToken(
      user: string,
      session: string,
      nonce: string,
      nowMs: number,
      endsMs: number,
    ): Promise<SdkSessionRow | undefined> {
      const outcome = await updateOnce(
        user,
        session,
        'SET #status = :active, #clientNonce = :none, #refreshSeq = #refreshSeq + :one, #rotatedMs = :now, #lastSeenMs = :now, #graceUsed = :used, #endsMs = :ends, #ttl = :ttl',
        '#clientNonce = :nonce AND #clientExpiresMs > :now',
        {
          active: 'active',
          none: null,
          one: 1,
          now: nowMs,
          used: true,
          ends: endsMs,
          ttl: computeTtl(endsMs),
          nonce,
        },
      );
      return 'row' in outcome ? outcome.row : undefined;
    },
    /**
     * Issues the next pair if `seq` is still the current one; otherwise returns the session as it
     * is.
     */
    rotate: (user: string, session: string, seq: number, nowMs: number, endsMs: number) =>
      updateOnce(
        user,
        session,
        'SET #refreshSeq = :next, #rotatedMs = :now, #lastSeenMs = :now, #graceUsed = :unused, #endsMs = :ends, #ttl = :ttl',
        '#status = :active AND #refreshSeq = :seq',
        { active: 'active', seq, next: seq + 1, now: nowMs, unused: false, ends: endsMs, ttl: computeTtl(endsMs) },
      ),
    /**
     * Lets the pair before `seq` be used once more. Returns undefined when it already was, when
     * `seq` was issued too long ago, or when `seq` is no longer the newest.
     */
    async consumeGrace(
      user: string,
      session: string,
      seq: number,
      issuedAfterMs: number,
    ): Promise<SdkSessionRow | undefined> {
      const outcome = await updateOnce(
        user,
        session,
        'SET #graceUsed = :used',
        '#refreshSeq = :seq AND #graceUsed = :unused AND #rotatedMs >= :after',
        { seq, used: true, unused: false, after: issuedAfterMs },
      );
      return 'row' in outcome ? outcome.row : undefined;
    },

    /** Fails when the session has ended. */
    buildOpenCheck: (user: string, session: string): Write => ({
      kind: 'check',
      key: keys.sdkSession(user, session),
      condition: 'attribute_exists(#pk)',
    }),
    /** Ends the session permanently. Fails when it is already gone, or was restarted since. */
    buildRemove(row: SdkSessionRow): Write[] {
      const session: Write = {
        kind: 'delete',
        key: keys.sdkSession(row.user, row.id),
        condition: '#refreshSeq = :read',
        values: { read: row.refreshSeq },
      };
      const makerWrites = madeCredentials.buildRemove(row.maker, toMadeCredential(row));
      if (row.installationId === null) return [session, ...makerWrites];
      const pointer: Write = {
        kind: 'delete',
        key: keys.installation(row.user, row.installationId, row.provider),
        condition: 'attribute_not_exists(#pk) OR #session = :session',
        values: { session: row.id },
      };
      return [session, pointer, ...makerWrites];
    },
  };
});
