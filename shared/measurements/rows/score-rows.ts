// Scores: a day's, packed, with what they say about themselves; while a user is moved to new formulas, under the former ones too.
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
  /** Of the others, why they have no value; those that are not named have no data. */
  without: ReadonlyMap<ScoreId, NoScore>;
  computedMs: number;
  /** Those that were computed earlier than the others, because a change of them waits. */
  earlierMs?: ReadonlyMap<ScoreId, number>;
  /** Only for days that are still paced. */
  pace?: ScorePace;
}

/** How often the scores of a day have changed, which decides when they may change again. */
/** When this score of the day was computed. */
export const computedMsOf = ({ computedMs, earlierMs }: ScoreDay, id: ScoreId): number =>
  earlierMs?.get(id) ?? computedMs;

export interface ScorePace {
  /** Without first values, and without changes that never wait. */
  changes: number;
  lastMs: number;
  /** Scores that had a value and have none. */
  lostScores: readonly ScoreId[];
}

/** A day under the formulas of one generation, still packed. */
interface PackedScoreDay {
  generation: number;
  values: Uint8Array;
  /** Undefined where nothing is noted. */
  notes: Uint8Array | undefined;
  computedMs: number;
  earlierMs?: ReadonlyMap<ScoreId, number>;
  pace?: ScorePace;
}
/** A day as it is stored; while a user is moved to new formulas, also as readers are still shown it. */
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
  p: z.object({ n: z.number(), at: z.number(), gone: z.array(scoreId).default([]) }).optional(),
});
const ScoreItem = PackedItem.extend({ sk: z.string(), o: PackedItem.optional() });

const parsePackedItem = ({ v, x, g, c, e, p }: z.infer<typeof PackedItem>): PackedScoreDay => ({
  generation: g,
  values: v,
  notes: x,
  computedMs: c,
  ...(e ? { earlierMs: parseEarlierTimes(e) } : {}),
  ...(p ? { pace: { changes: p.n, lastMs: p.at, lostScores: p.gone } } : {}),
});
const parseEarlierTimes = (times: Partial<Record<ScoreId, number>>): Map<ScoreId, number> =>
  new Map(scoreIds.flatMap((id) => (times[id] === undefined ? [] : [[id, times[id]]])));
const toPackedItem = ({ values, notes, generation, computedMs, earlierMs, pace }: PackedScoreDay) => ({
  v: values,
  ...(notes ? { x: notes } : {}),
  g: generation,
  c: computedMs,
  ...(earlierMs && earlierMs.size > 0 ? { e: Object.fromEntries(earlierMs) } : {}),
  ...(pace
    ? { p: { n: pace.changes, at: pace.lastMs, ...(pace.lostScores.length > 0 ? { gone: [...pace.lostScores] } : {}) } }
    : {}),
});

/** The day under the formulas of that generation; undefined when it has nothing of them. */
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
  if (note?.status !== 'value') throw new UnreadableData(`a day has a value of ${id} and no note on it`);
  return { version: note.version, confidence: note.confidence };
}

/** The same, still packed. */
export const findPackedScoreDay = (
  { current, previous }: StoredScoreDay,
  generation: number,
): PackedScoreDay | undefined =>
  [current, previous].find((packed) => packed?.generation === generation && !isEmptyScoreDay(packed));

/** To store the day under the formulas of that generation. */
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

/** More than the byte that names the layout. */
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
    /** Whether any day but these has a value, which notes alone are not. */
    async hasValueOutside(user: string, except: ReadonlySet<string>): Promise<boolean> {
      // Most have one yesterday.
      const newest = this.iterateBetween(user, '0000', '9999-12-31', {
        consistent: true,
        newestFirst: true,
        rowsPerPage: 10,
      });
      for await (const { date, current } of newest) if (!except.has(date) && hasContent(current.values)) return true;
      return false;
    },
    /** A day of which nothing is known is removed, unless it is known when it may change again. */
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
    /** No reader is shown the former one any more. A row that was written again meanwhile is left as it is. */
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
