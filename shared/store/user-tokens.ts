// The rate limit of a user's tokens. Its mark stands on the user's own row, so nothing is left of it when the user is erased.
import * as z from 'zod';
import { BoundedCache } from '../model/bounded-cache.ts';
import { ceilingOf, userTokenRateLimit as policy } from '../model/rate-limit.ts';
import { keys } from './keys.ts';
import { mostRemembered, rowBuckets } from './rate-bucket.ts';
import { repository } from './store.ts';

const Row = z
  .object({ status: z.string(), tokenFullAtMs: z.number().default(0) })
  .transform(({ status, tokenFullAtMs }) => ({ status, fullAtMs: tokenFullAtMs }));

export interface TokenDraw {
  outcome: 'admitted' | 'limited';
  bucket: { fullAtMs: number; nowMs: number; policy: typeof policy };
}

export const userTokenBuckets = repository(({ table, clock }) => {
  const buckets = rowBuckets({ table, row: Row, policy, mark: 'tokenFullAtMs' });
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
    /** One conditional write, on the row of a user that is not gone. Whether it is gone is for the answer to say. */
    async draw(user: string): Promise<TokenDraw> {
      const nowMs = clock.now();
      if (gone.get(user) !== undefined) return drawForGone(user, nowMs);
      const drawn = await buckets.draw(nowMs, {
        key: keys.user(user),
        condition: '#status = :active',
        values: { active: 'active' },
        fits: ({ status }) => status === 'active',
      });
      return drawn.outcome === 'refused' ? drawForGone(user, nowMs) : told(drawn.outcome, drawn.row.fullAtMs, nowMs);
    },
  };
});
