// Which days are due for scoring, and the one worker at it, whose writes hold only while it has the lease.
import * as z from 'zod';
import { type Item, TransactionRefused, type Write } from '../engine/ports.ts';
import { conditionalCommit, conditionalWrite } from './conditional-write.ts';
import { due } from './due.ts';
import { keys, userPartition } from './keys.ts';
import { repository, type Store } from './store.ts';
import { userRows } from './users.ts';

const Ask = z.object({
  from: z.string(),
  to: z.string(),
  asked: z.string(),
  /** Settings changed: nothing of these days waits. */
  atOnce: z.literal(true).optional(),
  /** These days were scored, and what changed waits until `wakeMs`. */
  held: z.literal(true).optional(),
  /** A message wakes the worker then. It stays when data of the same days changes before. */
  wakeMs: z.number().optional(),
});
/** The data of these days changed; `asked` is different for every change. */
export type Ask = z.infer<typeof Ask>;
type NewAsk = Pick<Ask, 'from' | 'to' | 'asked' | 'atOnce'>;

const AnnouncedScores = z.object({ scores: z.array(z.string()), from: z.string(), to: z.string() });
/** What a run has changed and not yet told anybody. */
export type AnnouncedScores = z.infer<typeof AnnouncedScores>;

const RunProgress = z.object({
  announced: AnnouncedScores.nullable(),
  /** Every day before this one was scored again under the formulas of that generation. */
  rescored: z.object({ before: z.string(), generation: z.number() }).nullable(),
  /** From this day on rows may also hold what was shown before the user was moved to new formulas. */
  formerFrom: z.string().nullable(),
});
/** What the next step of a run has to know of those before. */
export type RunProgress = z.infer<typeof RunProgress>;

const ScoreRun = RunProgress.extend({
  lastRunMs: z.number(),
  claim: z.string(),
  claimedUntilMs: z.number(),
});
export type ScoreRun = z.infer<typeof ScoreRun>;

/** Different after every lease, so that whoever read the run before it cannot take it for unchanged. */
const freed = (lease: string): string => `free after ${lease}`;

export const scoreRunRows = repository((store: Store) => {
  const { table } = store;
  const ofRun = (user: string, lease: string, update: string, values: Item): Write => ({
    kind: 'update',
    key: keys.scoreRun(user),
    update,
    condition: '#claim = :mine',
    values: { ...values, mine: lease },
  });
  /** What stands there already stays at once, and a message that is under way stays known. */
  const asking = (user: string, { from, to, asked, atOnce }: NewAsk, atMs: number) => ({
    kind: 'update' as const,
    key: keys.scoreAsk(user, from, to),
    update: `SET #from = :from, #to = :to, #asked = :asked, #duePk = :duePk, #dueSk = :dueSk${
      atOnce ? ', #atOnce = :atOnce' : ''
    } REMOVE #held`,
    values: { from, to, asked, ...due('score', user, atMs), ...(atOnce ? { atOnce } : {}) },
  });
  const keep = '#announced = :announced, #rescored = :rescored, #formerFrom = :formerFrom';
  const free = '#claim = :free, #claimedUntilMs = :never';

  return {
    /** Goes out with the change itself, so that no change is ever forgotten. */
    asking: (user: string, ask: NewAsk, atMs: number): Write => asking(user, ask, atMs),
    /** Refused where the same days are asked for already. */
    askingOnce: (user: string, ask: NewAsk, atMs: number): Write => ({
      ...asking(user, ask, atMs),
      condition: 'attribute_not_exists(#pk)',
    }),
    /** In the place of an ask that is answered otherwise; refused when the same days were asked for meanwhile. */
    awaiting(user: string, { from, to, asked }: NewAsk, read: Ask | undefined, wakeMs: number, sweepMs: number): Write {
      const item = { ...keys.scoreAsk(user, from, to), from, to, asked, held: true, wakeMs };
      return {
        kind: 'put',
        item: { ...item, ...due('score', user, sweepMs) },
        ...(read
          ? { condition: '#asked = :read', values: { read: read.asked } }
          : { condition: 'attribute_not_exists(#pk)' }),
      };
    },
    /** What is due, from the earliest day on. */
    async asked(user: string, atMost: number): Promise<Ask[]> {
      const page = await table.query({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: 'A#' },
        consistent: true,
        limit: atMost,
      });
      return page.items.map((item) => Ask.parse(item));
    },
    /** Refused when the same days were asked for again meanwhile. */
    answering: (user: string, { from, to, asked }: Ask): Write => ({
      kind: 'delete',
      key: keys.scoreAsk(user, from, to),
      condition: '#asked = :asked',
      values: { asked },
    }),

    async run(user: string): Promise<ScoreRun | undefined> {
      const item = await table.get(keys.scoreRun(user), { consistent: true });
      return item && ScoreRun.parse(item);
    },
    /** False while another has it, when another had it since the run was read, and when the user is gone. */
    async lease(
      user: string,
      lease: string,
      read: ScoreRun | undefined,
      { nowMs, untilMs }: { nowMs: number; untilMs: number },
    ): Promise<boolean> {
      const key = keys.scoreRun(user);
      if (!read)
        return conditionalCommit(store, [
          userRows(store).stillThere(user),
          {
            kind: 'put',
            item: {
              ...key,
              ...{ claim: lease, claimedUntilMs: untilMs, lastRunMs: 0 },
              ...{ announced: null, rescored: null, formerFrom: null },
            },
            condition: 'attribute_not_exists(#pk)',
          },
        ]);
      // What stands there cannot come back to life in an erased partition, so the user need not be asked.
      const { held } = await conditionalWrite(table, {
        kind: 'update',
        key,
        update: 'SET #claim = :mine, #claimedUntilMs = :until',
        // Its own when only the answer was lost.
        condition: '#claim = :mine OR (#claim = :read AND #claimedUntilMs <= :now)',
        values: { mine: lease, until: untilMs, read: read.claim, now: nowMs },
      });
      return held;
    },
    /** Goes out with days that are written before the end of a step: what they change is not forgotten if it ends here. */
    holding: (user: string, lease: string, progress: RunProgress, untilMs: number): Write =>
      ofRun(user, lease, `SET ${keep}, #claimedUntilMs = :until`, { ...progress, until: untilMs }),
    /** The end of a step that is not the last of its run. */
    pausing: (user: string, lease: string, progress: RunProgress): Write =>
      ofRun(user, lease, `SET ${keep}, ${free}`, { ...progress, free: freed(lease), never: 0 }),
    finishing: (user: string, lease: string, formerFrom: string | null, nowMs: number): Write =>
      ofRun(user, lease, `SET ${keep}, ${free}, #lastRunMs = :now`, {
        announced: null,
        rescored: null,
        formerFrom,
        free: freed(lease),
        never: 0,
        now: nowMs,
      }),
    /** Whoever had it is gone. */
    async endLease(user: string): Promise<void> {
      const run = await this.run(user);
      if (run) await this.release(user, run.claim);
    },
    async release(user: string, lease: string): Promise<void> {
      try {
        await table.transact([ofRun(user, lease, `SET ${free}`, { free: freed(lease), never: 0 })]);
      } catch (error) {
        if (!(error instanceof TransactionRefused)) throw error;
      }
    },
  };
});
