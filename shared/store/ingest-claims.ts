// Which worker takes a user's waiting uploads in. It only saves work: days are right without it too.
import { ConditionFailed, type Table } from '../engine/ports.ts';
import { keys } from './keys.ts';

export function ingestClaimRows(table: Table) {
  return {
    /** True for the one worker that has it until then, also when its own first answer was lost. Each worker has a name of its own. */
    async take(user: string, worker: string, nowMs: number, untilMs: number): Promise<boolean> {
      try {
        await table.write({
          kind: 'update',
          key: keys.ingestClaim(user),
          update: 'SET #worker = :worker, #untilMs = :until, #ttl = :ttl',
          condition: 'attribute_not_exists(#untilMs) OR #untilMs <= :now',
          values: { worker, now: nowMs, until: untilMs, ttl: Math.ceil(untilMs / 1000) },
        });
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed) return error.item?.['worker'] === worker;
        throw error;
      }
    },
    /** Only one's own: it may have run out, and be another's by now. */
    async giveBack(user: string, worker: string): Promise<void> {
      try {
        await table.write({
          kind: 'delete',
          key: keys.ingestClaim(user),
          condition: '#worker = :worker',
          values: { worker },
        });
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    },
  };
}
