// Problems with providers during which no invocation fails: the log lines that report them, and
// when an operator is alerted.
import type { LogCode } from '../../shared/platform/log-codes.ts';

/**
 * Log lines that are counted together: across all providers for the alarm, and per provider to find
 * the cause.
 */
export interface ProviderProblem {
  name: string;
  /** The functions that log these lines. */
  functions: readonly string[];
  /**
   * With `failures`, only lines with at least that many consecutive failures count. A line counts
   * once, or `weight` times.
   */
  lines: readonly { code: LogCode; failures?: number; weight?: number }[];
  /**
   * The alarm fires at this count within 15 minutes, if the count is also at least this percentage
   * of the first function's invocations.
   */
  minCount: number;
  minPercent?: number;
  meaning: string;
}

const metricHint = 'The metric of the same name shows the provider, and the log line shows the cause.';

export const providerProblems: readonly ProviderProblem[] = [
  {
    name: 'SyncsFailing',
    functions: ['sync'],
    // Either 5% of invocations find a provider unavailable, or 1% fail on our side.
    lines: [
      { code: 'provider_unavailable', failures: 3 },
      { code: 'sync_failed', failures: 3, weight: 5 },
    ],
    minCount: 1,
    minPercent: 5,
    meaning: `Data from wearables is late: a provider does not respond for many users (provider_unavailable), or syncs fail repeatedly because of an error in Daybook (sync_failed). ${metricHint}`,
  },
  {
    name: 'ProvidersUnusable',
    functions: ['sync', 'connect', 'push', 'poll'],
    lines: [
      { code: 'provider_credentials_refused' },
      { code: 'provider_credentials_missing' },
      { code: 'provider_misconfigured' },
      { code: 'provider_settings_unreadable' },
      { code: 'subscription_renewal_failed', failures: 3 },
    ],
    minCount: 1,
    meaning: `A provider rejects the credentials in this deployment's providers secret, the secret cannot be read, or the provider no longer sends pushes. Data is missing or late, nobody can connect, and pushes are answered with 503, until the secret is corrected. ${metricHint}`,
  },
  {
    name: 'DataWithheld',
    functions: ['sync'],
    lines: [{ code: 'announced_data_refused' }, { code: 'announced_data_too_large' }, { code: 'consent_ended' }],
    minCount: 5,
    minPercent: 1,
    meaning: `Many users are disconnected at once because a provider reports that their consent has ended (consent_ended), or a provider does not return data that it announced: workouts are present, but their heart rate may be missing. ${metricHint}`,
  },
  {
    name: 'ConsentsUnresolved',
    functions: ['sync'],
    lines: [{ code: 'too_many_consents_ended' }, { code: 'revocation_given_up' }],
    minCount: 1,
    meaning: `A provider reports ended consents for more users than usual (too_many_consents_ended). Daybook does not act on these reports for now, and checks again every hour. Find out whether the provider is wrong, or whether the table was restored to an earlier time. "disconnects_per_hour" in the provider's settings blocks such disconnects (0) or allows more of them. Or a provider did not accept a revocation within a day after a disconnect or a deletion (revocation_given_up): the consent remains there until the user ends it. ${metricHint}`,
  },
  {
    name: 'PushesRefused',
    functions: ['push'],
    lines: [{ code: 'push_refused' }],
    minCount: 10,
    meaning: `Pushes lack the signature or the secret URL that a provider was given: its secret may have changed, or someone is sending forged pushes. ${metricHint}`,
  },
];
