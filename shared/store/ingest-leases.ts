// Which worker takes a user's waiting uploads in. It only saves work (days are right without it too), and tells of workers that died.
import * as z from 'zod';
import { conditionalWrite } from './conditional-write.ts';
import { keys } from './keys.ts';
import { repository } from './store.ts';

const LeaseRow = z.object({
  worker: z.string(),
  untilMs: z.number(),
  /** The oldest upload when it was taken, and how often it was taken for that one without being given back. */
  oldest: z.string(),
  takes: z.number(),
});

export const ingestLeaseRows = repository(({ table }) => {
  return {
    /**
     * How many workers have had it for this upload, this one included; undefined when it is another's until later. Each worker has a
     * name of its own, and one whose first answer was lost has it all the same.
     */
    async take(
      user: string,
      { worker, oldest }: { worker: string; oldest: string },
      nowMs: number,
      untilMs: number,
    ): Promise<number | undefined> {
      for (let before: z.infer<typeof LeaseRow> | undefined; ; ) {
        const takes = before?.oldest === oldest ? before.takes + 1 : 1;
        const { held, item } = await conditionalWrite(table, {
          kind: 'update',
          key: keys.ingestLease(user),
          update: 'SET #worker = :worker, #untilMs = :until, #oldest = :oldest, #takes = :takes, #ttl = :ttl',
          condition: before ? '#worker = :before' : 'attribute_not_exists(#pk)',
          values: {
            worker,
            until: untilMs,
            oldest,
            takes,
            ttl: Math.ceil(untilMs / 1000) + 86_400,
            ...(before ? { before: before.worker } : {}),
          },
        });
        if (held) return takes;
        before = item && LeaseRow.parse(item);
        if (before?.worker === worker) return before.takes;
        if (before && before.untilMs > nowMs) return undefined;
      }
    },
    /** Whoever had it is gone. */
    async end(user: string): Promise<void> {
      await table.write({ kind: 'delete', key: keys.ingestLease(user) });
    },
    /** Only one's own: it may have run out, and be another's by now. */
    async giveBack(user: string, worker: string): Promise<void> {
      await conditionalWrite(table, {
        kind: 'delete',
        key: keys.ingestLease(user),
        condition: '#worker = :worker',
        values: { worker },
      });
    },
  };
});
