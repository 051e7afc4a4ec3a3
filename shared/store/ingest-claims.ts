// Which worker takes a user's waiting uploads in. It only saves work: days are right without it too.
import { ConditionFailed, type Table } from '../engine/ports.ts';
import { keys } from './keys.ts';

export function ingestClaimRows(table: Table) {
  return {
    /** True for the one worker that has it until then. */
    async take(user: string, nowMs: number, forMs: number): Promise<boolean> {
      try {
        await table.write({
          kind: 'update',
          key: keys.ingestClaim(user),
          update: 'SET #untilMs = :until, #ttl = :ttl',
          condition: 'attribute_not_exists(#untilMs) OR #untilMs <= :now',
          values: { now: nowMs, until: nowMs + forMs, ttl: Math.ceil((nowMs + forMs) / 1000) },
        });
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed) return false;
        throw error;
      }
    },
    async giveBack(user: string): Promise<void> {
      await table.write({ kind: 'delete', key: keys.ingestClaim(user) });
    },
  };
}
