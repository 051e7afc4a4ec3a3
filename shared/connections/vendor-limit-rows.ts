// How often a vendor may still be asked, over all workers: a row for each limit keeps the mark of its bucket, and several are drawn on together or not at all.
import * as z from 'zod';
import { conditionalWrite } from '../platform/conditional-write.ts';
import { ConditionFailed, TransactionRefused, type Update } from '../platform/ports.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

export interface VendorPace {
  burst: number;
  intervalMs: number;
}

/** One limit, by a name that every worker gives it. */
export interface VendorLimit extends VendorPace {
  name: string;
}

const Marks = z.object({
  /** The theoretical arrival time of the generic cell rate algorithm: when the bucket is full again. */
  fullAtMs: z.number().default(0),
  /** Until then its requests are promised to those who wait in line. */
  promisedMs: z.number().default(0),
  /** And until then to those whose turn had come when others had needed more than they knew. */
  lateMs: z.number().default(0),
});
type Marks = z.infer<typeof Marks>;

/** Who goes first: those that have begun, or had a turn when there was nothing left (`late`); then those whose turn has come; then everybody else. `free` never waits in line. */
export const vendorTurns = ['none', 'come', 'late', 'free'] as const;
export type VendorTurn = (typeof vendorTurns)[number];

/** That time is kept for whoever was refused, who then has that turn; `none` where too many wait for that. */
export type VendorDraw = { drawn: true } | { drawn: false; againMs: number; turn: VendorTurn };

/** Of those who draw at once each may find another mark than it knew. */
const mostTries = 20;
const keptSeconds = 86_400;
/** Nobody is promised anything later. */
const longestLineMs = 6 * 3_600_000;
const mostKnown = 1_000;
/** Whom each of them lets go first. */
const goFirst = { none: ['promisedMs', 'lateMs'], come: ['lateMs'], late: [], free: [] } as const;
const unmarked: Marks = { fullAtMs: 0, promisedMs: 0, lateMs: 0 };

const ttlOf = (ms: number): number => Math.ceil(ms / 1000) + keptSeconds;

export const vendorLimitRows = repository(({ table }) => {
  async function write(writes: Update[]): Promise<(ConditionFailed | undefined)[]> {
    const [first, ...more] = writes;
    if (first && more.length === 0) {
      const { held, item } = await conditionalWrite(table, first);
      return [held ? undefined : new ConditionFailed(item)];
    }
    try {
      await table.transact(writes);
      return [];
    } catch (error) {
      if (error instanceof TransactionRefused) return error.failed;
      throw error;
    }
  }

  /** As this process last saw them: a first guess that mostly holds. */
  const known = new Map<string, Marks>();
  const marksOf = ({ name }: VendorLimit): Marks => known.get(name) ?? unmarked;
  function learn({ name }: VendorLimit, marks: Marks): void {
    if (known.size >= mostKnown) known.clear();
    known.set(name, marks);
  }

  /** Behind those who already wait in that line, and not before the limit lets it through. */
  async function place(
    turn: 'come' | 'late',
    limit: VendorLimit,
    requests: number,
    nowMs: number,
  ): Promise<VendorDraw> {
    const line = turn === 'come' ? 'promisedMs' : 'lateMs';
    // Those who come together find one bucket: what is left when no other turn fits is nobody's.
    const costMs = Math.ceil((limit.burst * limit.intervalMs) / Math.max(1, Math.floor(limit.burst / requests)));
    const fitsMs = Math.max(nowMs, passesAt(limit, marksOf(limit).fullAtMs, requests));
    const lastMs = Math.max(fitsMs, nowMs + longestLineMs);
    for (let tries = 0; tries < mostTries; tries++) {
      const endMs = marksOf(limit)[line];
      if (endMs > lastMs) return { drawn: false, againMs: lastMs, turn: 'none' };
      const { held, item } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.vendorLimit(limit.name),
        ...(endMs > fitsMs
          ? {
              update: `SET #${line} = #${line} + :cost`,
              condition: `#${line} > :fits AND #${line} <= :last`,
              values: { cost: costMs, fits: fitsMs, last: lastMs },
            }
          : {
              update: `SET #${line} = :next, #ttl = :ttl`,
              condition: `attribute_not_exists(#${line}) OR #${line} <= :fits`,
              values: { next: fitsMs + costMs, fits: fitsMs, ttl: ttlOf(lastMs + costMs) },
            }),
      });
      learn(limit, Marks.parse(item ?? {}));
      if (held) return { drawn: false, againMs: marksOf(limit)[line] - costMs, turn };
    }
    return { drawn: false, againMs: nowMs + 1_000, turn };
  }

  return {
    /** So many requests of every limit, or of none; else when to ask again. Without a turn whoever waits is let through first, and each who is refused gets a place in line. */
    async draw(
      limits: readonly VendorLimit[],
      requests: number,
      nowMs: number,
      turn: VendorTurn = 'free',
    ): Promise<VendorDraw> {
      const before = goFirst[turn];
      const freeAt = (limit: VendorLimit): number => {
        const marks = marksOf(limit);
        const fitsMs = passesAt(limit, marks.fullAtMs, requests);
        return marks.fullAtMs <= nowMs ? fitsMs : Math.max(fitsMs, ...before.map((line) => marks[line]));
      };
      for (let tries = 0; tries < mostTries; tries++) {
        const refused = await write(
          limits.map((limit) => drawing(limit, marksOf(limit).fullAtMs, { requests, nowMs, before })),
        );
        if (refused.every((each) => each === undefined)) {
          for (const limit of limits) learn(limit, drawn(limit, marksOf(limit), requests, nowMs));
          return { drawn: true };
        }
        for (const [at, limit] of limits.entries()) {
          const failed = refused[at];
          if (failed) learn(limit, Marks.parse(failed.item ?? {}));
        }
        const [slowest] = limits.toSorted((a, b) => freeAt(b) - freeAt(a));
        if (!slowest || freeAt(slowest) <= nowMs) continue;
        if (turn === 'free') return { drawn: false, againMs: freeAt(slowest), turn };
        return place(turn === 'none' ? 'come' : 'late', slowest, requests, nowMs);
      }
      return { drawn: false, againMs: nowMs + 1_000, turn };
    },
    /** Counted of every limit, however little is left: whoever draws after it waits the longer. */
    async take(limits: readonly VendorLimit[], requests: number, nowMs: number): Promise<void> {
      for (const limit of limits)
        for (let tries = 0; tries < mostTries; tries++) {
          const { held, item } = await conditionalWrite(
            table,
            drawing(limit, marksOf(limit).fullAtMs, { requests, nowMs, before: [], isUrgent: true }),
          );
          learn(limit, Marks.parse(item ?? {}));
          if (held) break;
        }
    },
    /** The vendor wants no more before then, whatever we have counted. It never allows anything earlier than before. */
    async hold({ name, burst, intervalMs }: VendorLimit, untilMs: number): Promise<void> {
      const fullAtMs = untilMs + (burst - 1) * intervalMs;
      await conditionalWrite(table, {
        kind: 'update',
        key: keys.vendorLimit(name),
        update: 'SET #fullAtMs = :mark, #ttl = :ttl',
        condition: 'attribute_not_exists(#fullAtMs) OR #fullAtMs < :mark',
        values: { mark: fullAtMs, ttl: ttlOf(fullAtMs) },
      });
    },
  };
});

const passesAt = ({ burst, intervalMs }: VendorPace, fullAtMs: number, requests: number): number =>
  fullAtMs - (burst - requests) * intervalMs;

const drawn = ({ intervalMs }: VendorPace, marks: Marks, requests: number, nowMs: number): Marks => ({
  ...marks,
  fullAtMs: Math.max(marks.fullAtMs, nowMs) + requests * intervalMs,
});

/** `fullAtMs` is the mark as it was last seen; a wrong guess is refused by the condition and tells the right one. */
function drawing(
  limit: VendorLimit,
  fullAtMs: number,
  {
    requests,
    nowMs,
    before,
    isUrgent = false,
  }: { requests: number; nowMs: number; before: readonly ('promisedMs' | 'lateMs')[]; isUrgent?: boolean },
): Update {
  const { name, burst, intervalMs } = limit;
  const costMs = requests * intervalMs;
  const key = keys.vendorLimit(name);
  const unlessPromised = before.map((line) => ` AND (attribute_not_exists(#${line}) OR #${line} <= :now)`).join('');
  return fullAtMs > nowMs
    ? {
        kind: 'update',
        key,
        update: 'SET #fullAtMs = #fullAtMs + :cost, #ttl = :ttl',
        condition: `#fullAtMs > :now${isUrgent ? '' : ' AND #fullAtMs <= :ceiling'}${unlessPromised}`,
        values: {
          cost: costMs,
          now: nowMs,
          ...(isUrgent ? {} : { ceiling: nowMs + (burst - requests) * intervalMs }),
          ttl: ttlOf(Math.max(fullAtMs, nowMs) + burst * intervalMs),
        },
      }
    : {
        kind: 'update',
        key,
        // Whoever waits has had the time of a whole bucket.
        update: 'SET #fullAtMs = :next, #ttl = :ttl',
        condition: 'attribute_not_exists(#fullAtMs) OR #fullAtMs <= :now',
        values: { next: nowMs + costMs, now: nowMs, ttl: ttlOf(nowMs + costMs) },
      };
}
