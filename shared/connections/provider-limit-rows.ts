// How many requests a provider still accepts, counted over all workers. Each limit has a row with
// the mark of its bucket. Several limits are drawn from together or not at all.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import { ConditionFailed, TransactionCanceled, type Update } from '../platform/ports.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

export interface ProviderRate {
  burst: number;
  intervalMs: number;
}

/** One limit, by a name that is the same in every worker. */
export interface ProviderLimit extends ProviderRate {
  name: string;
  /** When the provider last gave a successful answer. A draw stores it if it is the latest. */
  answeredMs?: number;
}

const BucketState = z.object({
  /**
   * The theoretical arrival time of the generic cell rate algorithm: when the bucket is full again.
   */
  fullAtMs: z.number().default(0),
  /** Until this time, requests are promised to callers that wait in line. */
  promisedMs: z.number().default(0),
  /**
   * Until this time, requests are promised to callers whose turn came when others had needed more
   * requests than expected.
   */
  lateMs: z.number().default(0),
  /** When the provider last gave a successful answer; 0 if no draw has stored one. */
  answeredMs: z.number().default(0),
});
export type BucketState = z.infer<typeof BucketState>;
const StoredBucket = BucketState.extend({ pk: z.string() });

/**
 * Which callers go first: those that have started, or whose turn came when no requests were left
 * (`late`); then those whose turn has come (`come`); then all others (`none`). `free` never waits
 * in line.
 */
export const providerTurns = ['none', 'come', 'late', 'free'] as const;
export type ProviderTurn = (typeof providerTurns)[number];

/**
 * `retryMs` is reserved for the refused caller, which then has `turn`. It is `none` when too many
 * callers wait already.
 */
export type ProviderDraw = { drawn: true } | { drawn: false; retryMs: number; turn: ProviderTurn };

/** Of several concurrent draws, each may find a different mark than it expected. */
const maxTries = 20;
const retentionSeconds = 86_400;
/** No request is promised later than this. */
const maxWaitMs = 6 * 3_600_000;
const maxCachedLimits = 1_000;
/** The lines that each turn lets go first. */
const linesAheadOf = { none: ['promisedMs', 'lateMs'], come: ['lateMs'], late: [], free: [] } as const;
const initialState: BucketState = BucketState.parse({});
/** The row for answers that no draw stores. It is no bucket. */
export const nameAnswers = (provider: string): string => `${provider}#answers`;

const computeTtl = (ms: number): number => Math.ceil(ms / 1000) + retentionSeconds;

export const providerLimitRows = repository(({ table }) => {
  async function writeAll(writes: Update[]): Promise<(ConditionFailed | undefined)[]> {
    const [first, ...more] = writes;
    if (first && more.length === 0) {
      const { applied, item } = await writeConditionally(table, first);
      return [applied ? undefined : new ConditionFailed(item)];
    }
    try {
      await table.transact(writes);
      return [];
    } catch (error) {
      if (error instanceof TransactionCanceled) return error.failures;
      throw error;
    }
  }

  /** The states as this process last saw them: a first guess that is usually right. */
  const cachedStates = new Map<string, BucketState>();
  const getState = ({ name }: ProviderLimit): BucketState => cachedStates.get(name) ?? initialState;
  function cacheState({ name }: ProviderLimit, state: BucketState): void {
    if (cachedStates.size >= maxCachedLimits) cachedStates.clear();
    cachedStates.set(name, state);
  }

  /** Joins the end of the line, no earlier than the limit allows. */
  async function joinLine(
    turn: 'come' | 'late',
    limit: ProviderLimit,
    requests: number,
    nowMs: number,
  ): Promise<ProviderDraw> {
    const line = turn === 'come' ? 'promisedMs' : 'lateMs';
    // Callers that retry together share one bucket. A remainder that is too small for another turn
    // stays unused.
    const costMs = Math.ceil((limit.burst * limit.intervalMs) / Math.max(1, Math.floor(limit.burst / requests)));
    const fitsAtMs = Math.max(nowMs, computePassMs(limit, getState(limit).fullAtMs, requests));
    const lastMs = Math.max(fitsAtMs, nowMs + maxWaitMs);
    for (let tries = 0; tries < maxTries; tries++) {
      const endMs = getState(limit)[line];
      if (endMs > lastMs) return { drawn: false, retryMs: lastMs, turn: 'none' };
      const { applied, item } = await writeConditionally(table, {
        kind: 'update',
        key: keys.providerLimit(limit.name),
        ...(endMs > fitsAtMs
          ? {
              update: `SET #${line} = #${line} + :cost`,
              condition: `#${line} > :fits AND #${line} <= :last`,
              values: { cost: costMs, fits: fitsAtMs, last: lastMs },
            }
          : {
              update: `SET #${line} = :next, #ttl = :ttl`,
              condition: `attribute_not_exists(#${line}) OR #${line} <= :fits`,
              values: { next: fitsAtMs + costMs, fits: fitsAtMs, ttl: computeTtl(lastMs + costMs) },
            }),
      });
      cacheState(limit, BucketState.parse(item ?? {}));
      if (applied) return { drawn: false, retryMs: getState(limit)[line] - costMs, turn };
    }
    return { drawn: false, retryMs: nowMs + 1_000, turn };
  }

  return {
    /**
     * Draws this many requests from every limit or from none; otherwise returns when to try again.
     * A caller without a turn lets waiting callers go first, and each refused caller gets a place
     * in line. `free` does neither.
     */
    async draw(
      limits: readonly ProviderLimit[],
      requests: number,
      nowMs: number,
      turn: ProviderTurn = 'free',
    ): Promise<ProviderDraw> {
      const linesAhead = linesAheadOf[turn];
      const computeFreeMs = (limit: ProviderLimit): number => {
        const state = getState(limit);
        const fitsAtMs = computePassMs(limit, state.fullAtMs, requests);
        return state.fullAtMs <= nowMs ? fitsAtMs : Math.max(fitsAtMs, ...linesAhead.map((line) => state[line]));
      };
      for (let tries = 0; tries < maxTries; tries++) {
        const failures = await writeAll(
          limits.map((limit) => buildDraw(limit, getState(limit), { requests, nowMs, linesAhead })),
        );
        if (failures.every((each) => each === undefined)) {
          for (const limit of limits) cacheState(limit, applyDraw(limit, getState(limit), requests, nowMs));
          return { drawn: true };
        }
        for (const [at, limit] of limits.entries()) {
          const failed = failures[at];
          if (failed) cacheState(limit, BucketState.parse(failed.item ?? {}));
        }
        const [slowest] = limits.toSorted((a, b) => computeFreeMs(b) - computeFreeMs(a));
        if (!slowest || computeFreeMs(slowest) <= nowMs) continue;
        if (turn === 'free') return { drawn: false, retryMs: computeFreeMs(slowest), turn };
        return joinLine(turn === 'none' ? 'come' : 'late', slowest, requests, nowMs);
      }
      return { drawn: false, retryMs: nowMs + 1_000, turn };
    },
    /**
     * Counts the requests against every limit, however little is left. Later draws wait longer for
     * it.
     */
    async drawUnconditionally(limits: readonly ProviderLimit[], requests: number, nowMs: number): Promise<void> {
      for (const limit of limits)
        for (let tries = 0; tries < maxTries; tries++) {
          const { applied, item } = await writeConditionally(
            table,
            buildDraw(limit, getState(limit), { requests, nowMs, linesAhead: [], isUrgent: true }),
          );
          cacheState(limit, BucketState.parse(item ?? {}));
          if (applied) break;
        }
    },
    /**
     * Blocks the limit until then at the provider's request, regardless of what was counted. Never
     * moves the mark to an earlier time.
     */
    async blockUntil({ name, burst, intervalMs }: ProviderLimit, untilMs: number): Promise<void> {
      const fullAtMs = untilMs + (burst - 1) * intervalMs;
      await writeConditionally(table, {
        kind: 'update',
        key: keys.providerLimit(name),
        update: 'SET #fullAtMs = :mark, #ttl = :ttl',
        condition: 'attribute_not_exists(#fullAtMs) OR #fullAtMs < :mark',
        values: { mark: fullAtMs, ttl: computeTtl(fullAtMs) },
      });
    },
    /** Stores when the provider last answered, where no draw can. */
    async storeAnswer(provider: string, answeredMs: number): Promise<void> {
      await writeConditionally(table, {
        kind: 'update',
        key: keys.providerLimit(nameAnswers(provider)),
        update: 'SET #answeredMs = :answered',
        condition: isLatestAnswer,
        values: { answered: answeredMs },
      });
    },
    /** The states as stored, by name. */
    async readStates(names: readonly string[]): Promise<ReadonlyMap<string, BucketState>> {
      if (names.length === 0) return new Map();
      const items = await table.batchGet(names.map(keys.providerLimit));
      const states = new Map(items.map((item) => StoredBucket.parse(item)).map((state) => [state.pk, state]));
      return new Map(names.map((name) => [name, states.get(keys.providerLimit(name).pk) ?? initialState]));
    },
  };
});

const isLatestAnswer = '(attribute_not_exists(#answeredMs) OR #answeredMs < :answered)';

const computePassMs = ({ burst, intervalMs }: ProviderRate, fullAtMs: number, requests: number): number =>
  fullAtMs - (burst - requests) * intervalMs;

const applyDraw = (
  { intervalMs, answeredMs = 0 }: ProviderLimit,
  state: BucketState,
  requests: number,
  nowMs: number,
): BucketState => ({
  ...state,
  fullAtMs: Math.max(state.fullAtMs, nowMs) + requests * intervalMs,
  answeredMs: Math.max(state.answeredMs, answeredMs),
});

/**
 * `state` is as last seen. A wrong guess fails the condition, and the failure contains the current
 * state.
 */
function buildDraw(
  limit: ProviderLimit,
  { fullAtMs, answeredMs: knownAnsweredMs }: BucketState,
  {
    requests,
    nowMs,
    linesAhead,
    isUrgent = false,
  }: { requests: number; nowMs: number; linesAhead: readonly ('promisedMs' | 'lateMs')[]; isUrgent?: boolean },
): Update {
  const { name, burst, intervalMs, answeredMs = 0 } = limit;
  const costMs = requests * intervalMs;
  const isNews = answeredMs > knownAnsweredMs;
  const [setAnswer, ifLatest] = isNews ? [', #answeredMs = :answered', ` AND ${isLatestAnswer}`] : ['', ''];
  const answerValues = isNews ? { answered: answeredMs } : {};
  const key = keys.providerLimit(name);
  const unlessPromised = linesAhead.map((line) => ` AND (attribute_not_exists(#${line}) OR #${line} <= :now)`).join('');
  return fullAtMs > nowMs
    ? {
        kind: 'update',
        key,
        update: `SET #fullAtMs = #fullAtMs + :cost, #ttl = :ttl${setAnswer}`,
        condition: `#fullAtMs > :now${isUrgent ? '' : ' AND #fullAtMs <= :ceiling'}${unlessPromised}${ifLatest}`,
        values: {
          ...answerValues,
          cost: costMs,
          now: nowMs,
          ...(isUrgent ? {} : { ceiling: nowMs + (burst - requests) * intervalMs }),
          ttl: computeTtl(Math.max(fullAtMs, nowMs) + burst * intervalMs),
        },
      }
    : {
        kind: 'update',
        key,
        // Callers in line have had the time that a whole bucket takes.
        update: `SET #fullAtMs = :next, #ttl = :ttl${setAnswer}`,
        condition: `(attribute_not_exists(#fullAtMs) OR #fullAtMs <= :now)${ifLatest}`,
        values: { ...answerValues, next: nowMs + costMs, now: nowMs, ttl: computeTtl(nowMs + costMs) },
      };
}
