// The rate limit of a user's tokens. Its mark is stored on the user's own row, so erasing the user
// erases it too.
import * as z from 'zod';
import { BoundedCache } from '../platform/bounded-cache.ts';
import { createRowBuckets, maxCachedRows } from '../platform/rate-bucket.ts';
import { computeCeilingMs, userTokenRateLimit as policy } from '../platform/rate-limit.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

const Row = z
  .object({ status: z.string(), tokenFullAtMs: z.number().default(0), sharingEpoch: z.number() })
  .transform(({ status, tokenFullAtMs, sharingEpoch }) => ({ status, fullAtMs: tokenFullAtMs, sharingEpoch }));

export interface TokenDraw {
  /**
   * `unshared`: the user does not share data. `superseded`: the user has stopped sharing since the
   * token was issued. Neither draws on the bucket.
   */
  outcome: 'admitted' | 'limited' | 'unshared' | 'superseded';
  bucket: { fullAtMs: number; nowMs: number; policy: typeof policy };
}

export const userTokenBuckets = repository(({ table, clock }) => {
  const buckets = createRowBuckets({ table, clock, row: Row, markAttribute: 'tokenFullAtMs' });
  /**
   * Deleted users stay deleted and their rows accept no mark, so each process limits their
   * remaining tokens in memory.
   */
  const deletedUsers = new BoundedCache<string, number>(maxCachedRows);

  const buildDraw = (outcome: TokenDraw['outcome'], fullAtMs: number, nowMs: number): TokenDraw => ({
    outcome,
    bucket: { fullAtMs, nowMs, policy },
  });

  function drawForDeleted(user: string): TokenDraw {
    const nowMs = clock.now();
    const fullAtMs = Math.max(deletedUsers.get(user) ?? 0, nowMs);
    if (fullAtMs > computeCeilingMs(nowMs, policy)) return buildDraw('limited', fullAtMs, nowMs);
    deletedUsers.set(user, fullAtMs + policy.intervalMs);
    return buildDraw('admitted', fullAtMs + policy.intervalMs, nowMs);
  }

  return {
    /** Returns a rejection that this process can already decide without reading the table. */
    findKnownRejection(user: string): TokenDraw | undefined {
      const nowMs = clock.now();
      const fullAtMs = deletedUsers.get(user) ?? buckets.lastSeen(keys.user(user))?.fullAtMs ?? 0;
      return fullAtMs > computeCeilingMs(nowMs, policy) ? buildDraw('limited', fullAtMs, nowMs) : undefined;
    },
    /**
     * Draws by one conditional write on the row of an existing user. For a deleted user it draws in
     * memory instead, and the handler reports that the user is gone. `epoch` is the token's.
     */
    async draw(user: string, epoch: number): Promise<TokenDraw> {
      if (deletedUsers.get(user) !== undefined) return drawForDeleted(user);
      const drawResult = await buckets.draw(clock.now(), {
        key: keys.user(user),
        policy,
        condition: '#status = :active AND #sharingEpoch = :epoch',
        values: { active: 'active', epoch },
        matches: ({ status, sharingEpoch }) => status === 'active' && sharingEpoch === epoch,
      });
      if (drawResult.outcome !== 'refused')
        return buildDraw(drawResult.outcome, drawResult.row.fullAtMs, drawResult.nowMs);
      const { row, nowMs } = drawResult;
      if (row?.status === 'unshared') return buildDraw('unshared', row.fullAtMs, nowMs);
      return row?.status === 'active' ? buildDraw('superseded', row.fullAtMs, nowMs) : drawForDeleted(user);
    },
  };
});
