// What one worker may ask of a vendor: drawn from the limits that all workers share, as many at once as the work is known to take, so that nothing is begun that cannot be finished.
import { EngineUnavailable } from '../../platform/ports.ts';
import type { ProviderRateLimit } from '../../providers/kit/descriptor.ts';
import type { Deps } from '../../system/deps.ts';
import { type ProviderLimit, type ProviderTurn, providerLimitRows } from '../provider-limit-rows.ts';
import { recordProviderAnswer, recordProviderFailure } from './provider-outage.ts';
import { drawValidityMs, toProviderRate } from './provider-rate.ts';
import { OutOfBudget } from './sync-errors.ts';

/** Then as many as the limit gives at first find out whether it is over. */
const outagePauseMs = 60_000;

export interface RequestBudget {
  /** Makes sure that so many requests can go out soon, or throws `OutOfBudget`. Each time but the first it is somebody else's turn before. */
  reserve(requests: number): Promise<void>;
  /** Before each request. */
  spend(): Promise<void>;
  /** The vendor wants to be left alone until then. */
  pauseUntil(untilMs: number): Promise<void>;
  /** What became of the last request: where nobody is answered, nobody asks for a while. */
  recordAnswer(): void;
  recordFailure(): Promise<void>;
  /** Requests that have gone out since it was opened. */
  spent(): number;
}

export interface RequestBudgetOptions {
  limits: readonly ProviderRateLimit[];
  provider: string;
  /** A name for the person that says nothing about them. */
  userKey: string;
  /** Unless told it never waits in line. */
  turn?: ProviderTurn;
  /** Somebody waits for the answer: nothing is refused, and what it takes is taken from those who ask for data. */
  isUrgent?: boolean;
}

export function openRequestBudget(
  deps: Pick<Deps, 'store' | 'clock' | 'random' | 'log'>,
  options: RequestBudgetOptions,
): RequestBudget {
  const { store, clock } = deps;
  const limits = toProviderLimits(deps, options);
  const maxDraw = Math.min(...limits.map(({ burst }) => burst));
  let remaining = 0;
  let drawnMs = 0;
  let spent = 0;
  let turn = options.turn ?? 'free';
  let turns = 0;

  /** What was drawn before counts as long as it holds. */
  async function drawUpTo(requests: number): Promise<void> {
    const nowMs = clock.now();
    if (nowMs - drawnMs >= drawValidityMs) remaining = 0;
    const missing = Math.min(requests, maxDraw) - remaining;
    if (limits.length === 0 || missing <= 0) return;
    if (options.isUrgent) await forceDraw(missing, nowMs);
    else {
      const outcome = await providerLimitRows(store).draw(limits, missing, nowMs, turn);
      if (!outcome.drawn) throw new OutOfBudget(outcome.retryMs, outcome.turn);
    }
    if (remaining === 0) drawnMs = nowMs;
    remaining += missing;
  }

  /** A consent is worth more than a count. */
  async function forceDraw(requests: number, nowMs: number): Promise<void> {
    try {
      await providerLimitRows(store).drawUnconditionally(limits, requests, nowMs);
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      deps.log('warn', 'a request to a vendor could not be counted', {
        provider: options.provider,
        message: error.message,
      });
    }
  }

  /** What is begun is finished. */
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
    // The built-in vendor has no limits, and says nothing of the real one.
    recordAnswer: () => {
      if (limits.length > 0) recordProviderAnswer(store, options.provider);
    },
    async recordFailure() {
      const shared = limits.find(({ per }) => per === 'deployment');
      if (!shared || !recordProviderFailure(store, options.provider, options.userKey)) return;
      remaining = 0;
      await providerLimitRows(store).blockUntil(shared, clock.now() + outagePauseMs);
    },
    spent: () => spent,
  };
}

/** Those of the person first: a vendor that refuses one person's requests may still take everybody else's. */
function toProviderLimits(
  { random }: Pick<Deps, 'random'>,
  { limits, provider, userKey }: RequestBudgetOptions,
): (ProviderLimit & Pick<ProviderRateLimit, 'per'>)[] {
  const userLimitsFirst = limits.toSorted((a, b) => Number(b.per === 'person') - Number(a.per === 'person'));
  return userLimitsFirst.map((options) => {
    const { rows, burst, intervalMs } = toProviderRate(options);
    const row = (random.bytes(1)[0] ?? 0) % rows;
    const name = [provider, options.per === 'person' ? userKey : 'all', `${options.requests}/${options.seconds}`, row];
    return { name: name.join('#'), burst, intervalMs, per: options.per };
  });
}
