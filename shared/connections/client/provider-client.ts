// A client for a provider's API. It stays within the rate limits, tells outages from real
// responses, and starts no request after its deadline.

import { retryAfterMs } from '../../platform/backoff.ts';
import type { GrantAdapter, GrantContext, ResponseClass } from '../../providers/kit/grant.ts';
import type { ProviderRequest, ProviderResponse, RequestFlow } from '../../providers/kit/request-flow.ts';
import { withBearerToken } from '../../providers/kit/standard-grant.ts';
import type { Deps } from '../../system/deps.ts';
import type { ConfiguredProvider } from './configured-provider.ts';
import type { RequestBudget } from './request-budget.ts';
import { ProviderUnavailable, sendToProvider } from './send-to-provider.ts';
import { OutOfTime, TokenRefused } from './sync-errors.ts';

/** The current tokens of a user. */
export interface TokenSource {
  /** Renews the tokens first if they are about to expire. */
  current(): Promise<GrantContext>;
  /**
   * Called when the provider has refused these tokens. Returns new ones or throws `TokenRefused`.
   */
  renewRefused(refused: GrantContext): Promise<GrantContext>;
}

export interface ProviderClient {
  budget: RequestBudget;
  /** Sends one request unchanged. */
  send(request: ProviderRequest): Promise<ProviderResponse>;
  /** Runs the flow with its requests unchanged. A flow that needs a token adds its own. */
  withoutToken<Result>(flow: RequestFlow<Result>): Promise<Result>;
  /**
   * Sends each request with the user's token. If the token has expired, renews it and repeats the
   * request once.
   */
  withUserToken<Result>(flow: RequestFlow<Result>, tokens: TokenSource): Promise<Result>;
}

const defaultPauseMs = 60_000;
/**
 * The limit on the combined length of all responses in one flow, which stay in memory until the
 * last page has arrived. A month of one user's data takes a tenth of it.
 */
const maxResponseCharacters = 24_000_000;

interface ClassifiedResponse {
  reply: ProviderResponse;
  meaning: ResponseClass | undefined;
}

export function createProviderClient(
  deps: Pick<Deps, 'clock'>,
  to: Pick<ConfiguredProvider, 'client' | 'resolveUrl'>,
  rules: Pick<GrantAdapter, 'authorizeRequest' | 'classifyResponse'>,
  { allowance: budget, untilMs }: { allowance: RequestBudget; untilMs: number },
): ProviderClient {
  const { clock } = deps;

  async function sendClassified(request: ProviderRequest): Promise<ClassifiedResponse> {
    if (clock.now() >= untilMs) throw new OutOfTime();
    await budget.spend();
    try {
      const reply = await sendToProvider(to, request);
      const meaning = meaningOf(reply);
      budget.recordAnswer();
      if (meaning === undefined && reply.status < 300) budget.recordSuccess();
      return { reply, meaning };
    } catch (error) {
      if (error instanceof ProviderUnavailable) await handleUnavailable(error);
      throw error;
    }
  }

  async function handleUnavailable({ status, headers }: ProviderUnavailable): Promise<void> {
    // A response that is too large to read is not an outage.
    if (status !== 429 && !(status !== undefined && status < 300)) return budget.recordFailure();
    budget.recordAnswer();
    if (status !== 429) return;
    await holdFor(headers);
  }

  async function holdFor(headers: ProviderResponse['headers']): Promise<void> {
    const nowMs = clock.now();
    await budget.pauseUntil(nowMs + parsePauseMs(headers, nowMs));
  }

  const authorized = rules.authorizeRequest ?? withBearerToken;
  const meaningOf = (reply: ProviderResponse): ResponseClass | undefined =>
    rules.classifyResponse?.(reply) ?? (reply.status === 401 ? 'expired' : undefined);

  const send = async (request: ProviderRequest): Promise<ProviderResponse> => (await sendClassified(request)).reply;

  async function sendWithUserToken(request: ProviderRequest, tokens: TokenSource): Promise<ProviderResponse> {
    const current = await tokens.current();
    const first = await sendClassified(authorized(request, current));
    const { reply, meaning } =
      first.meaning === 'expired'
        ? await sendClassified(authorized(request, await tokens.renewRefused(current)))
        : first;
    if (meaning === 'too_many') {
      await holdFor(reply.headers);
      throw new ProviderUnavailable('the provider rate-limited the request', { status: 429, headers: reply.headers });
    }
    if (meaning === 'away') throw new ProviderUnavailable('the provider reports that it is unavailable');
    // The token was renewed a moment ago and is refused all the same.
    if (meaning === 'expired' && reply.status !== 401) throw new TokenRefused();
    return reply;
  }

  return {
    budget,
    send,
    withoutToken: (flow) => runFlow(flow, send),
    withUserToken: (flow, tokens) => runFlow(flow, (request) => sendWithUserToken(request, tokens)),
  };
}

async function runFlow<Result>(
  flow: RequestFlow<Result>,
  send: (request: ProviderRequest) => Promise<ProviderResponse>,
): Promise<Result> {
  let characters = 0;
  for (let step = flow.next(); ; ) {
    if (step.done) return step.value;
    const reply = await send(step.value);
    characters += reply.text.length;
    if (characters > maxResponseCharacters)
      throw new ProviderUnavailable("the provider's responses exceed the size limit");
    step = flow.next(reply);
  }
}

/**
 * Reads the pause from `Retry-After` or from a rate limit reset header. The default is one minute.
 */
export function parsePauseMs(headers: Readonly<Record<string, string>>, nowMs: number): number {
  const retryAfter = retryAfterMs(headers['retry-after'], nowMs);
  if (retryAfter > 0) return retryAfter;
  const reset = Number(headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? Number.NaN);
  if (!(reset > 0)) return defaultPauseMs;
  // Some providers send seconds, others a Unix time.
  const seconds = reset > 1e9 ? reset - nowMs / 1000 : reset;
  return Math.min(Math.max(seconds * 1000, 1_000), 86_400_000);
}
