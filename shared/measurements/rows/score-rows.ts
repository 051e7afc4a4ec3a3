// Stores the packed scores of a day with their notes. While a user is migrated to new formulas, a
// row also holds the scores of the previous formulas.
import * as z from 'zod';
import { type ScoreId, scoreIds } from '../../catalog/score-ids.ts';
import type { NoScore } from '../../catalog/score-states.ts';
import { UnreadableData } from '../../platform/bytes.ts';
import { writeConditionally } from '../../platform/conditional-write.ts';
import type { Item, Write } from '../../platform/ports.ts';
import { keys, userPartition } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';
import { packScores, unpackScores } from '../codec/score-day.ts';
import { packScoreNotes, type ScoreNote, unpackScoreNotes } from '../codec/score-notes.ts';
import type { Score } from '../score.ts';

export interface ScoreDay {
  date: string;
  scores: ReadonlyMap<ScoreId, Score>;
  /** Why the other scores have no value; scores that are not listed have no data. */
  without: ReadonlyMap<ScoreId, NoScore>;
  computedMs: number;
  /** Scores that were computed before `computedMs`, because a change to them is held back. */
  earlierMs?: ReadonlyMap<ScoreId, number>;
  /** Only for days whose scores are still throttled. */
  pace?: ScorePace;
}

/** Returns when this score of the day was computed. */
export const computedMsOf = ({ computedMs, earlierMs }: ScoreDay, id: ScoreId): number =>
  earlierMs?.get(id) ?? computedMs;

/** How often a score of a day has changed, which decides when it may change again. */
export interface ScoreChangeCount {
  /** Excludes first values and changes that are never held back. */
  changes: number;
  lastMs: number;
}

export interface ScorePace {
  /** Of every score that has, or had, a value. */
  scores: ReadonlyMap<ScoreId, ScoreChangeCount>;
  /** When the main sleep ended that was last scored; null if that is not known. */
  sleepEndMs: number | null;
  /** How many main sleeps ended later than the one scored before. */
  laterSleeps: number;
}

/** A day under the formulas of one generation, packed. */
interface PackedScoreDay {
  generation: number;
  values: Uint8Array;
  /** Undefined when there are no notes. */
  notes: Uint8Array | undefined;
  computedMs: number;
  earlierMs?: ReadonlyMap<ScoreId, number>;
  pace?: ScorePace;
}
/**
 * A day as stored. While a user is migrated to new formulas, it also holds the version that readers
 * still see.
 */
export interface StoredScoreDay {
  date: string;
  current: PackedScoreDay;
  previous: PackedScoreDay | undefined;
}

const bytes = z.instanceof(Uint8Array);
const scoreId = z.enum(scoreIds);
const PackedItem = z.object({
  v: bytes,
  x: bytes.optional(),
  g: z.number(),
  c: z.number(),
  e: z.partialRecord(scoreId, z.number()).optional(),
  /** The changes and the last time of each score, the end of the main sleep, and the later sleeps. */
  p: z
    .object({
      s: z.partialRecord(scoreId, z.tuple([z.number(), z.number()])),
      z: z.number().nullable().default(null),
      n: z.number().default(0),
    })
    .optional(),
});
const ScoreItem = PackedItem.extend({ sk: z.string(), o: PackedItem.optional() });

const parsePackedItem = ({ v, x, g, c, e, p }: z.infer<typeof PackedItem>): PackedScoreDay => ({
  generation: g,
  values: v,
  notes: x,
  computedMs: c,
  ...(e ? { earlierMs: parseEarlierTimes(e) } : {}),
  ...(p ? { pace: { scores: parseChangeCounts(p.s), sleepEndMs: p.z, laterSleeps: p.n } } : {}),
});
const parseEarlierTimes = (times: Partial<Record<ScoreId, number>>): Map<ScoreId, number> =>
  new Map(scoreIds.flatMap((id) => (times[id] === undefined ? [] : [[id, times[id]]])));
const parseChangeCounts = (counts: Partial<Record<ScoreId, [number, number]>>): ScorePace['scores'] =>
  new Map(
    scoreIds.flatMap((id): [ScoreId, ScoreChangeCount][] => {
      const count = counts[id];
      return count ? [[id, { changes: count[0], lastMs: count[1] }]] : [];
    }),
  );
const toPackedItem = ({ values, notes, generation, computedMs, earlierMs, pace }: PackedScoreDay) => ({
  v: values,
  ...(notes ? { x: notes } : {}),
  g: generation,
  c: computedMs,
  ...(earlierMs && earlierMs.size > 0 ? { e: Object.fromEntries(earlierMs) } : {}),
  ...(pace ? { p: toPackedPace(pace) } : {}),
});

const toPackedPace = ({ scores, sleepEndMs, laterSleeps }: ScorePace) => ({
  s: Object.fromEntries(Array.from(scores, ([id, { changes, lastMs }]) => [id, [changes, lastMs]])),
  ...(sleepEndMs === null ? {} : { z: sleepEndMs }),
  ...(laterSleeps === 0 ? {} : { n: laterSleeps }),
});

/**
 * Returns the day under the formulas of that generation; undefined when it has no data for them.
 */
export function unpackScoreDay(stored: StoredScoreDay, generation: number): ScoreDay | undefined {
  const packed = findPackedScoreDay(stored, generation);
  if (!packed) return undefined;
  const notes = packed.notes ? unpackScoreNotes(packed.notes) : new Map<ScoreId, ScoreNote>();
  const scores = new Map<ScoreId, Score>();
  for (const [id, value] of unpackScores(packed.values))
    scores.set(id, { ...value, ...readValueNote(id, notes.get(id)) });
  const without = new Map<ScoreId, NoScore>();
  for (const [id, note] of notes) if (note.status !== 'value') without.set(id, note);
  return { date: stored.date, scores, without, ...pickTimes(packed) };
}

const pickTimes = ({ computedMs, earlierMs, pace }: Pick<ScoreDay, 'computedMs' | 'earlierMs' | 'pace'>) => ({
  computedMs,
  ...(earlierMs ? { earlierMs } : {}),
  ...(pace ? { pace } : {}),
});

function readValueNote(id: ScoreId, note: ScoreNote | undefined): Pick<Score, 'version' | 'confidence'> {
  if (note?.status !== 'value') throw new UnreadableData(`a day has a value of ${id} but no note on it`);
  return { version: note.version, confidence: note.confidence };
}

/** Returns the packed day under the formulas of that generation. */
export const findPackedScoreDay = (
  { current, previous }: StoredScoreDay,
  generation: number,
): PackedScoreDay | undefined =>
  [current, previous].find((packed) => packed?.generation === generation && !isEmptyScoreDay(packed));

/** Packs the day for storage under the formulas of that generation. */
export function packScoreDay(
  { scores, without, ...times }: Omit<ScoreDay, 'date'>,
  generation: number,
): PackedScoreDay {
  const notes = new Map<ScoreId, ScoreNote>(without);
  for (const [id, { version, confidence }] of scores) notes.set(id, { status: 'value', version, confidence });
  const packed = packScoreNotes(notes);
  return {
    generation,
    values: packScores(scores),
    notes: hasContent(packed) ? packed : undefined,
    ...pickTimes(times),
  };
}

/** Whether there is more than the layout byte. */
const hasContent = (packed: Uint8Array | undefined): boolean => packed !== undefined && packed.length > 1;
export const isEmptyScoreDay = ({ values, notes }: PackedScoreDay): boolean =>
  !hasContent(values) && !hasContent(notes);

const prefixLength = 'S#'.length;

export const scoreRows = repository(({ table }) => {
  const parseDay = (item: Item): StoredScoreDay => {
    const row = ScoreItem.parse(item);
    return {
      date: row.sk.slice(prefixLength),
      current: parsePackedItem(row),
      previous: row.o && parsePackedItem(row.o),
    };
  };

  return {
    async *iterateBetween(
      user: string,
      from: string,
      to: string,
      {
        consistent = false,
        newestFirst = false,
        rowsPerPage,
      }: { consistent?: boolean; newestFirst?: boolean; rowsPerPage?: number } = {},
    ): AsyncGenerator<StoredScoreDay> {
      const foundItems = table.queryAll({
        where: '#pk = :pk AND #sk BETWEEN :from AND :to',
        values: { pk: userPartition(user), from: `S#${from}`, to: `S#${to}` },
        consistent,
        newestFirst,
        ...(rowsPerPage === undefined ? {} : { limit: rowsPerPage }),
      });
      for await (const item of foundItems) yield parseDay(item);
    },
    /** Whether any other day has a value. Notes alone do not count. */
    async hasValueOutside(user: string, except: ReadonlySet<string>): Promise<boolean> {
      // Most users have a value for yesterday.
      const newest = this.iterateBetween(user, '0000', '9999-12-31', {
        consistent: true,
        newestFirst: true,
        rowsPerPage: 10,
      });
      for await (const { date, current } of newest) if (!except.has(date) && hasContent(current.values)) return true;
      return false;
    },
    /** Deletes a row without data, unless it holds a pace or the scores of previous formulas. */
    buildStore: (user: string, { date, current, previous }: StoredScoreDay): Write =>
      isEmptyScoreDay(current) && !current.pace && !previous
        ? { kind: 'delete', key: keys.scoreDay(user, date) }
        : {
            kind: 'put',
            item: {
              ...keys.scoreDay(user, date),
              ...toPackedItem(current),
              ...(previous ? { o: toPackedItem(previous) } : {}),
            },
          },
    /**
     * Removes the version under the previous formulas once no reader sees it. A row that was
     * rewritten in the meantime is left unchanged.
     */
    async removePrevious(user: string, { date, current }: StoredScoreDay): Promise<void> {
      const key = keys.scoreDay(user, date);
      const unchangedCondition = {
        condition: 'attribute_exists(#o) AND #g = :generation AND #c = :computedMs',
        values: { generation: current.generation, computedMs: current.computedMs },
      };
      await writeConditionally(
        table,
        isEmptyScoreDay(current)
          ? { kind: 'delete', key, ...unchangedCondition }
          : { kind: 'update', key, update: 'REMOVE #o', ...unchangedCondition },
      );
    },
  };
});
