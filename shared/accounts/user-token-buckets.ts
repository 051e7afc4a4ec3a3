// The rate limit of a user's tokens. Its mark stands on the user's own row, so nothing is left of it when the user is erased.
import * as z from 'zod';
import { BoundedCache } from '../platform/bounded-cache.ts';
import { mostRemembered, rowBuckets } from '../platform/rate-bucket.ts';
import { ceilingOf, userTokenRateLimit as policy } from '../platform/rate-limit.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

const Row = z
  .object({ status: z.string(), tokenFullAtMs: z.number().default(0), sharingEpoch: z.number() })
  .transform(({ status, tokenFullAtMs, sharingEpoch }) => ({ status, fullAtMs: tokenFullAtMs, sharingEpoch }));

export interface TokenDraw {
  /**
   * `unshared`: the person shares nothing; `superseded`: they have stopped sharing since the token
   * was issued. Nothing is drawn then.
   */
  outcome: 'admitted' | 'limited' | 'unshared' | 'superseded';
  bucket: { fullAtMs: number; nowMs: number; policy: typeof policy };
}

export const userTokenBuckets = repository(({ table, clock }) => {
  const buckets = rowBuckets({ table, row: Row, mark: 'tokenFullAtMs' });
  /** Users that are gone stay so, and their rows take no mark: what is left of their tokens is limited in the memory of each process. */
  const gone = new BoundedCache<string, number>(mostRemembered);

  const told = (outcome: TokenDraw['outcome'], fullAtMs: number, nowMs: number): TokenDraw => ({
    outcome,
    bucket: { fullAtMs, nowMs, policy },
  });

  function drawForGone(user: string, nowMs: number): TokenDraw {
    const fullAtMs = Math.max(gone.get(user) ?? 0, nowMs);
    if (fullAtMs > ceilingOf(nowMs, policy)) return told('limited', fullAtMs, nowMs);
    gone.set(user, fullAtMs + policy.intervalMs);
    return told('admitted', fullAtMs + policy.intervalMs, nowMs);
  }

  return {
    /** What this process knows to be a refusal already, without asking the table. */
    refusal(user: string): TokenDraw | undefined {
      const nowMs = clock.now();
      const fullAtMs = gone.get(user) ?? buckets.lastSeen(keys.user(user))?.fullAtMs ?? 0;
      return fullAtMs > ceilingOf(nowMs, policy) ? told('limited', fullAtMs, nowMs) : undefined;
    },
    /**
     * One conditional write, on the row of a user that is not gone. Whether it is gone is for the
     * answer to say; `epoch` is of the token.
     */
    async draw(user: string, epoch: number): Promise<TokenDraw> {
      const nowMs = clock.now();
      if (gone.get(user) !== undefined) return drawForGone(user, nowMs);
      const drawn = await buckets.draw(nowMs, {
        key: keys.user(user),
        policy,
        condition: '#status = :active AND #sharingEpoch = :epoch',
        values: { active: 'active', epoch },
        fits: ({ status, sharingEpoch }) => status === 'active' && sharingEpoch === epoch,
      });
      if (drawn.outcome !== 'refused') return told(drawn.outcome, drawn.row.fullAtMs, nowMs);
      const { row } = drawn;
      if (row?.status === 'unshared') return told('unshared', row.fullAtMs, nowMs);
      return row?.status === 'active' ? told('superseded', row.fullAtMs, nowMs) : drawForGone(user, nowMs);
    },
  };
});
