// The requests that one worker may send to a provider. It draws from the limits that all workers
// share and reserves what a piece of work is known to need, so that no work starts that cannot
// finish.
import { EngineUnavailable } from '../../platform/ports.ts';
import type { ProviderRateLimit } from '../../providers/kit/descriptor.ts';
import type { Deps } from '../../system/deps.ts';
import { type ProviderLimit, type ProviderTurn, providerLimitRows } from '../provider-limit-rows.ts';
import { findNarrowestLimit } from './poll-share.ts';
import { providerAnswers } from './provider-answers.ts';
import { recordProviderAnswer, recordProviderFailure } from './provider-outage.ts';
import { drawValidityMs, nameLimit, toProviderRate } from './provider-rate.ts';
import { OutOfBudget } from './sync-errors.ts';

/** After the pause, a single burst of requests finds out whether the outage is over. */
const outagePauseMs = 60_000;

export interface RequestBudget {
  /**
   * Ensures that this many requests can be sent soon, or throws `OutOfBudget`. From the second call
   * on, connections that wait in line go first.
   */
  reserve(requests: number): Promise<void>;
  /** Called before each request. */
  spend(): Promise<void>;
  /** Blocks requests until then, because the provider has requested a pause. */
  pauseUntil(untilMs: number): Promise<void>;
  /**
   * Record the outcome of the last request. When the provider answers for no user, requests pause
   * for a while.
   */
  recordAnswer(): void;
  recordFailure(): Promise<void>;
  /** Records that the last request was answered with success. The next draw stores the time. */
  recordSuccess(): void;
  /**
   * Called at the end of a run. Stores the time of the last success if no draw has stored one for
   * this process, which may never draw again, or if no limit is shared. Throttling fails no run,
   * because everything else is committed.
   */
  storeSuccess(): Promise<void>;
  /** The number of requests sent since the budget was opened. */
  spent(): number;
}

export interface RequestBudgetOptions {
  limits: readonly ProviderRateLimit[];
  provider: string;
  /** An opaque key for the user. */
  userKey: string;
  /** Defaults to `free`, which never waits in line. */
  turn?: ProviderTurn;
  /**
   * Someone is waiting for the response: no request is refused, and its cost is taken from the
   * share of data requests.
   */
  isUrgent?: boolean;
}

export function openRequestBudget(
  deps: Pick<Deps, 'store' | 'clock' | 'random' | 'log'>,
  options: RequestBudgetOptions,
): RequestBudget {
  const { store, clock } = deps;
  const { provider } = options;
  const limits = toProviderLimits(deps, options);
  const answers = providerAnswers(store);
  const canCarryAnswer = limits.some(({ carriesAnswer }) => carriesAnswer);
  const maxDraw = Math.min(...limits.map(({ burst }) => burst));
  let remaining = 0;
  let drawnMs = 0;
  let spent = 0;
  let turn = options.turn ?? 'free';
  let turns = 0;

  /** Requests that were drawn earlier count for as long as they are valid. */
  async function drawUpTo(requests: number): Promise<void> {
    const nowMs = clock.now();
    if (nowMs - drawnMs >= drawValidityMs) remaining = 0;
    const missing = Math.min(requests, maxDraw) - remaining;
    if (limits.length === 0 || missing <= 0) return;
    const answeredMs = canCarryAnswer ? answers.findUnstored(provider) : undefined;
    const drawn = limits.map(({ carriesAnswer, ...limit }) =>
      carriesAnswer && answeredMs !== undefined ? { ...limit, answeredMs } : limit,
    );
    if (options.isUrgent) await forceDraw(drawn, missing, nowMs);
    else {
      const outcome = await providerLimitRows(store).draw(drawn, missing, nowMs, turn);
      if (!outcome.drawn) throw new OutOfBudget(outcome.retryMs, outcome.turn);
    }
    if (answeredMs !== undefined) answers.markStored(provider, answeredMs);
    if (remaining === 0) drawnMs = nowMs;
    remaining += missing;
  }

  /** Completing a consent matters more than counting its requests. */
  async function forceDraw(drawn: readonly ProviderLimit[], requests: number, nowMs: number): Promise<void> {
    try {
      await providerLimitRows(store).drawUnconditionally(drawn, requests, nowMs);
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      deps.log('warn', 'provider_request_not_counted', { provider, detail: error.message });
    }
  }

  /** Work that has started gets priority, so that it can finish. */
  const markStarted = (): void => {
    if (turn !== 'free') turn = 'late';
  };

  return {
    async reserve(requests) {
      if (turn !== 'free' && turns > 0) turn = 'none';
      turns += 1;
      await drawUpTo(requests);
      markStarted();
    },
    async spend() {
      await drawUpTo(1);
      markStarted();
      remaining -= 1;
      spent += 1;
    },
    async pauseUntil(untilMs) {
      remaining = 0;
      const [narrowest] = limits;
      if (narrowest) await providerLimitRows(store).blockUntil(narrowest, untilMs);
    },
    // The simulated provider has no limits, and its answers say nothing about the real provider.
    recordAnswer: () => {
      if (limits.length > 0) recordProviderAnswer(store, provider);
    },
    async recordFailure() {
      const shared = limits.find(({ per }) => per === 'deployment');
      if (!shared || !recordProviderFailure(store, provider, options.userKey)) return;
      remaining = 0;
      await providerLimitRows(store).blockUntil(shared, clock.now() + outagePauseMs);
    },
    recordSuccess: () => {
      if (limits.length > 0) answers.record(provider, clock.now());
    },
    async storeSuccess() {
      const answeredMs = answers.findUnstored(provider);
      if (answeredMs === undefined || (canCarryAnswer && answers.hasStored(provider))) return;
      try {
        await providerLimitRows(store).storeAnswer(provider, answeredMs);
        answers.markStored(provider, answeredMs);
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
        deps.log('warn', 'provider_answer_not_stored', { provider, detail: error.message });
      }
    },
    spent: () => spent,
  };
}

interface BudgetLimit extends ProviderLimit, Pick<ProviderRateLimit, 'per'> {
  /** Its draws also store when the provider last answered. */
  carriesAnswer: boolean;
}

/**
 * Sorts the per-user limits first: a provider that refuses one user's requests may still accept
 * everyone else's.
 */
function toProviderLimits(
  { random }: Pick<Deps, 'random'>,
  { limits, provider, userKey }: RequestBudgetOptions,
): BudgetLimit[] {
  const userLimitsFirst = limits.toSorted((a, b) => Number(b.per === 'person') - Number(a.per === 'person'));
  const narrowest = findNarrowestLimit(limits);
  return userLimitsFirst.map((options) => {
    const { rows, burst, intervalMs } = toProviderRate(options);
    const row = (random.bytes(1)[0] ?? 0) % rows;
    const name = nameLimit(provider, options.per === 'person' ? userKey : 'all', options, row);
    return { name, burst, intervalMs, per: options.per, carriesAnswer: options === narrowest };
  });
}
