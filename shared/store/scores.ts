// Scores: a day's, packed; which days are due for scoring; and the one worker at it, whose writes hold only while it has the lease.
import * as z from 'zod';
import { ConditionFailed, type Item, TransactionRefused, type Write } from '../engine/ports.ts';
import type { ScoreId } from '../model/score-ids.ts';
import type { NoScore } from '../model/score-states.ts';
import { firstScoringGeneration } from '../model/score-table.ts';
import type { Score } from '../model/scores.ts';
import { packScores, unpackScores } from './codec/score-day.ts';
import { type ScoreNote, unpackScoreNotes } from './codec/score-notes.ts';
import { due } from './due.ts';
import { keys, userPartition } from './keys.ts';
import { repository } from './store.ts';

export interface ScoreDay {
  date: string;
  scores: ReadonlyMap<ScoreId, Score>;
  /** Of the others, why they have no value; those that are not named have no data. */
  without: ReadonlyMap<ScoreId, NoScore>;
  computedMs: number;
}

/** A day under the formulas of one generation, still packed. */
interface PackedDay {
  generation: number;
  values: Uint8Array;
  /** Undefined for what was written before there were any. */
  notes: Uint8Array | undefined;
  computedMs: number;
}
/** A day as it is stored; while a user is moved to new formulas, also as readers are still shown it. */
export interface StoredScoreDay {
  date: string;
  current: PackedDay;
  former: PackedDay | undefined;
}

const bytes = z.instanceof(Uint8Array);
const PackedItem = z.object({
  v: bytes,
  x: bytes.optional(),
  g: z.number().default(firstScoringGeneration),
  c: z.number(),
});
const ScoreItem = PackedItem.extend({ sk: z.string(), o: PackedItem.optional() });

const packedIn = ({ v, x, g, c }: z.infer<typeof PackedItem>): PackedDay => ({
  generation: g,
  values: v,
  notes: x,
  computedMs: c,
});

/** The day under the formulas of that generation; undefined when it has nothing of them. */
export function asOf({ date, current, former }: StoredScoreDay, generation: number): ScoreDay | undefined {
  const packed = [current, former].find((each) => each?.generation === generation);
  if (!packed) return undefined;
  const notes = packed.notes ? unpackScoreNotes(packed.notes) : new Map<ScoreId, ScoreNote>();
  const scores = new Map<ScoreId, Score>();
  for (const [id, value] of unpackScores(packed.values)) scores.set(id, { ...value, ...aboutValue(notes.get(id)) });
  const without = new Map<ScoreId, NoScore>();
  for (const [id, note] of notes) if (note.status !== 'value') without.set(id, note);
  if (scores.size === 0 && without.size === 0) return undefined;
  return { date, scores, without, computedMs: packed.computedMs };
}

/** The first formulas took no notes, and nothing is known of how sure they were. */
const aboutValue = (note: ScoreNote | undefined): Pick<Score, 'version' | 'confidence'> =>
  note?.status === 'value' ? { version: note.version, confidence: note.confidence } : { version: 1, confidence: 'low' };

const Ask = z.object({ from: z.string(), to: z.string(), asked: z.string() });
/** The data of these days changed; `asked` is different for every change. */
export type Ask = z.infer<typeof Ask>;

const AnnouncedScores = z.object({ scores: z.array(z.string()), from: z.string(), to: z.string() });
/** What a run is about to change and has not yet told anybody. */
export type AnnouncedScores = z.infer<typeof AnnouncedScores>;

const ScoreRun = z.object({
  lastRunMs: z.number(),
  claim: z.string(),
  claimedUntilMs: z.number(),
  announced: AnnouncedScores.nullable(),
});
export type ScoreRun = z.infer<typeof ScoreRun>;

const nobody = '';
const prefixLength = 'S#'.length;
const mostWritesWithOneCheck = 99;

export const scoreRows = repository(({ table }) => {
  const day = (item: Item): StoredScoreDay => {
    const row = ScoreItem.parse(item);
    return { date: row.sk.slice(prefixLength), current: packedIn(row), former: row.o && packedIn(row.o) };
  };
  const ofRun = (user: string, lease: string, update: string, values: Item): Write => ({
    kind: 'update',
    key: keys.scoreRun(user),
    update,
    condition: '#claim = :mine',
    values: { ...values, mine: lease },
  });
  const range = (user: string, from: string, to: string) => ({
    where: '#pk = :pk AND #sk BETWEEN :from AND :to',
    values: { pk: userPartition(user), from: `S#${from}`, to: `S#${to}` },
  });

  return {
    async *between(
      user: string,
      from: string,
      to: string,
      { consistent = false } = {},
    ): AsyncGenerator<StoredScoreDay> {
      for await (const item of table.queryAll({ ...range(user, from, to), consistent })) yield day(item);
    },
    async exist(user: string): Promise<boolean> {
      const found = await table.query({ ...range(user, '0000', '9999-12-31'), consistent: true, limit: 1 });
      return found.items.length > 0;
    },

    /** Goes out with the change itself, so that no change is ever forgotten. */
    asking: (user: string, { from, to, asked }: Ask, atMs: number): Write => ({
      kind: 'put',
      item: { ...keys.scoreAsk(user, from, to), from, to, asked, ...due('score', user, atMs) },
    }),
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
    /** Refused while another has it. */
    leasing: (user: string, lease: string, nowMs: number, untilMs: number): Write => ({
      kind: 'update',
      key: keys.scoreRun(user),
      update:
        'SET #claim = :claim, #claimedUntilMs = :until, #lastRunMs = if_not_exists(#lastRunMs, :never), #announced = if_not_exists(#announced, :nothing)',
      condition: 'attribute_not_exists(#pk) OR #claimedUntilMs <= :now',
      values: { claim: lease, until: untilMs, now: nowMs, never: 0, nothing: null },
    }),
    announcing: (user: string, lease: string, announced: AnnouncedScores, untilMs: number): Write =>
      ofRun(user, lease, 'SET #announced = :announced, #claimedUntilMs = :until', { announced, until: untilMs }),
    finishing: (user: string, lease: string, nowMs: number): Write =>
      ofRun(user, lease, 'SET #claim = :nobody, #claimedUntilMs = :never, #lastRunMs = :now, #announced = :nothing', {
        nobody,
        never: 0,
        now: nowMs,
        nothing: null,
      }),
    /** Whoever had it is gone. */
    async endLease(user: string): Promise<void> {
      const run = await table.get(keys.scoreRun(user), { consistent: true });
      if (run) await this.release(user, ScoreRun.parse(run).claim);
    },
    async release(user: string, lease: string): Promise<void> {
      try {
        await table.transact([
          ofRun(user, lease, 'SET #claim = :nobody, #claimedUntilMs = :never', { nobody, never: 0 }),
        ]);
      } catch (error) {
        if (!(error instanceof TransactionRefused)) throw error;
      }
    },
    /** A day without scores is removed. False when the lease was lost: what was not written then stays as it was. */
    async write(user: string, lease: string, days: readonly ScoreDay[]): Promise<boolean> {
      const held: Write = {
        kind: 'check',
        key: keys.scoreRun(user),
        condition: '#claim = :mine',
        values: { mine: lease },
      };
      try {
        for (let at = 0; at < days.length; at += mostWritesWithOneCheck)
          await table.transact([
            held,
            ...days
              .slice(at, at + mostWritesWithOneCheck)
              .map(
                ({ date, scores, computedMs }): Write =>
                  scores.size === 0
                    ? { kind: 'delete', key: keys.scoreDay(user, date) }
                    : { kind: 'put', item: { ...keys.scoreDay(user, date), v: packScores(scores), c: computedMs } },
              ),
          ]);
        return true;
      } catch (error) {
        if (error instanceof TransactionRefused && error.failed[0] instanceof ConditionFailed) return false;
        throw error;
      }
    },
  };
});
