// A line to a vendor: its limits are kept, its excuses are told from its answers, and nothing is begun when the time is over.

import { retryAfterMs } from '../../platform/backoff.ts';
import type { GrantRules, Holding, ReplyMeaning } from '../../providers/kit/grant.ts';
import { bearer } from '../../providers/kit/standard-grant.ts';
import type { Talk, VendorReply, VendorRequest } from '../../providers/kit/vendor.ts';
import type { Deps } from '../../system/deps.ts';
import type { Allowance } from './allowance.ts';
import type { ConfiguredProvider } from './configured.ts';
import { sendTo, VendorAway } from './send.ts';
import { OutOfTime, TokenRefused } from './sync-errors.ts';

/** A person's tokens, as they are now. */
export interface HeldTokens {
  /** Renewed first where they are about to run out. */
  current(): Promise<Holding>;
  /** The vendor refused those: others, or `TokenRefused`. */
  renewed(refused: Holding): Promise<Holding>;
}

export interface VendorLine {
  allowance: Allowance;
  /** One request, as it is. */
  ask(request: VendorRequest): Promise<VendorReply>;
  /** What the talk says is all there is: it brings its own token where it needs one. */
  plainly<Result>(talk: Talk<Result>): Promise<Result>;
  /** Each request with the person's token; one that ran out is renewed, and that request repeated once. */
  asPerson<Result>(talk: Talk<Result>, tokens: HeldTokens): Promise<Result>;
}

const usualPauseMs = 60_000;
/** Of everything that a talk is answered: it is kept until the last page has come. A month of a person takes a tenth of it. */
const mostCharacters = 24_000_000;

export function openLine(
  deps: Pick<Deps, 'clock'>,
  to: Pick<ConfiguredProvider, 'client' | 'addressOf'>,
  rules: Pick<GrantRules, 'authorized' | 'meaning'>,
  { allowance, untilMs }: { allowance: Allowance; untilMs: number },
): VendorLine {
  const { clock } = deps;

  async function ask(request: VendorRequest): Promise<VendorReply> {
    if (clock.now() >= untilMs) throw new OutOfTime();
    await allowance.spend();
    try {
      const reply = await sendTo(to, request);
      allowance.answered();
      return reply;
    } catch (error) {
      if (error instanceof VendorAway) await refused(error);
      throw error;
    }
  }

  async function refused({ status, headers }: VendorAway): Promise<void> {
    // One who is answered more than is taken is no outage.
    if (status !== 429 && !(status !== undefined && status < 300)) return allowance.failed();
    allowance.answered();
    if (status !== 429) return;
    await holdFor(headers);
  }

  async function holdFor(headers: VendorReply['headers']): Promise<void> {
    const nowMs = clock.now();
    await allowance.hold(nowMs + pauseMs(headers, nowMs));
  }

  const authorized = rules.authorized ?? bearer;
  const meaningOf = (reply: VendorReply): ReplyMeaning | undefined =>
    rules.meaning?.(reply) ?? (reply.status === 401 ? 'expired' : undefined);

  async function askAsPerson(request: VendorRequest, tokens: HeldTokens): Promise<VendorReply> {
    const held = await tokens.current();
    const first = await ask(authorized(request, held));
    const reply = meaningOf(first) === 'expired' ? await ask(authorized(request, await tokens.renewed(held))) : first;
    const meaning = meaningOf(reply);
    if (meaning === 'too_many') {
      await holdFor(reply.headers);
      throw new VendorAway('the vendor was asked too often', { status: 429, headers: reply.headers });
    }
    if (meaning === 'away') throw new VendorAway('the vendor says that it is away');
    // A token that came a moment ago and is refused all the same.
    if (meaning === 'expired' && reply.status !== 401) throw new TokenRefused();
    return reply;
  }

  return {
    allowance,
    ask,
    plainly: (talk) => run(talk, ask),
    asPerson: (talk, tokens) => run(talk, (request) => askAsPerson(request, tokens)),
  };
}

async function run<Result>(talk: Talk<Result>, ask: (request: VendorRequest) => Promise<VendorReply>): Promise<Result> {
  let characters = 0;
  for (let step = talk.next(); ; ) {
    if (step.done) return step.value;
    const reply = await ask(step.value);
    characters += reply.text.length;
    if (characters > mostCharacters) throw new VendorAway('the vendor answers more than is taken at once');
    step = talk.next(reply);
  }
}

/** As `Retry-After` says, or a header that counts down to when the limit begins anew, or a minute. */
export function pauseMs(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const asked = retryAfterMs(headers['retry-after'], nowMs);
  if (asked > 0) return asked;
  const reset = Number(headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? Number.NaN);
  if (!(reset > 0)) return usualPauseMs;
  // Some count seconds, others tell the moment.
  const seconds = reset > 1e9 ? reset - nowMs / 1000 : reset;
  return Math.min(Math.max(seconds * 1000, 1_000), 86_400_000);
}
