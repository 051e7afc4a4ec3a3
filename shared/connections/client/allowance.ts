// What one worker may ask of a vendor: drawn from the limits that all workers share, as many at once as the work is known to take, so that nothing is begun that cannot be finished.
import { EngineUnavailable } from '../../platform/ports.ts';
import type { RateFacts } from '../../providers/kit/descriptor.ts';
import type { Deps } from '../../system/deps.ts';
import { type VendorLimit, type VendorTurn, vendorLimitRows } from '../vendor-limit-rows.ts';
import { vendorAnswered, vendorFailed } from './outage.ts';
import { OutOfBudget } from './sync-errors.ts';
import { drawnHoldsMs, paceOf } from './vendor-pace.ts';

/** Then as many as the limit gives at first find out whether it is over. */
const outagePauseMs = 60_000;

export interface Allowance {
  /** Makes sure that so many requests can go out soon, or throws `OutOfBudget`. Each time but the first it is somebody else's turn before. */
  reserve(requests: number): Promise<void>;
  /** Before each request. */
  spend(): Promise<void>;
  /** The vendor wants to be left alone until then. */
  hold(untilMs: number): Promise<void>;
  /** What became of the last request: where nobody is answered, nobody asks for a while. */
  answered(): void;
  failed(): Promise<void>;
  /** Requests that have gone out since it was opened. */
  spent(): number;
}

export interface AllowanceFacts {
  limits: readonly RateFacts[];
  provider: string;
  /** A name for the person that says nothing about them. */
  person: string;
  /** Unless told it never waits in line. */
  turn?: VendorTurn;
  /** Somebody waits for the answer: nothing is refused, and what it takes is taken from those who ask for data. */
  isUrgent?: boolean;
}

export function openAllowance(
  deps: Pick<Deps, 'store' | 'clock' | 'random' | 'log'>,
  facts: AllowanceFacts,
): Allowance {
  const { store, clock } = deps;
  const limits = limitsOf(deps, facts);
  const largest = Math.min(...limits.map(({ burst }) => burst));
  let left = 0;
  let drawnMs = 0;
  let spent = 0;
  let turn = facts.turn ?? 'free';
  let turns = 0;

  /** What was drawn before counts as long as it holds. */
  async function drawUpTo(requests: number): Promise<void> {
    const nowMs = clock.now();
    if (nowMs - drawnMs >= drawnHoldsMs) left = 0;
    const missing = Math.min(requests, largest) - left;
    if (limits.length === 0 || missing <= 0) return;
    if (facts.isUrgent) await take(missing, nowMs);
    else {
      const outcome = await vendorLimitRows(store).draw(limits, missing, nowMs, turn);
      if (!outcome.drawn) throw new OutOfBudget(outcome.againMs, outcome.turn);
    }
    if (left === 0) drawnMs = nowMs;
    left += missing;
  }

  /** A consent is worth more than a count. */
  async function take(requests: number, nowMs: number): Promise<void> {
    try {
      await vendorLimitRows(store).take(limits, requests, nowMs);
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      deps.log('warn', 'a request to a vendor could not be counted', {
        provider: facts.provider,
        message: error.message,
      });
    }
  }

  /** What is begun is finished. */
  const begun = (): void => {
    if (turn !== 'free') turn = 'late';
  };

  return {
    async reserve(requests) {
      if (turn !== 'free' && turns > 0) turn = 'none';
      turns += 1;
      await drawUpTo(requests);
      begun();
    },
    async spend() {
      await drawUpTo(1);
      begun();
      left -= 1;
      spent += 1;
    },
    async hold(untilMs) {
      left = 0;
      const [narrowest] = limits;
      if (narrowest) await vendorLimitRows(store).hold(narrowest, untilMs);
    },
    // The built-in vendor has no limits, and says nothing of the real one.
    answered: () => {
      if (limits.length > 0) vendorAnswered(store, facts.provider);
    },
    async failed() {
      const shared = limits.find(({ per }) => per === 'deployment');
      if (!shared || !vendorFailed(store, facts.provider, facts.person)) return;
      left = 0;
      await vendorLimitRows(store).hold(shared, clock.now() + outagePauseMs);
    },
    spent: () => spent,
  };
}

/** Those of the person first: a vendor that refuses one person's requests may still take everybody else's. */
function limitsOf(
  { random }: Pick<Deps, 'random'>,
  { limits, provider, person }: AllowanceFacts,
): (VendorLimit & Pick<RateFacts, 'per'>)[] {
  const byPerson = limits.toSorted((a, b) => Number(b.per === 'person') - Number(a.per === 'person'));
  return byPerson.map((facts) => {
    const { rows, burst, intervalMs } = paceOf(facts);
    const row = (random.bytes(1)[0] ?? 0) % rows;
    const name = [provider, facts.per === 'person' ? person : 'all', `${facts.requests}/${facts.seconds}`, row];
    return { name: name.join('#'), burst, intervalMs, per: facts.per };
  });
}
