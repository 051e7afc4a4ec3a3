// What goes wrong with providers while no run of ours fails: the log lines that say so, and when an operator is woken.

/** Lines that are counted together: over all providers for the alarm, and by provider for whoever looks into it. */
export interface ProviderProblem {
  name: string;
  /** The functions that log them. */
  functions: readonly string[];
  /** With `failures`, only lines of what has failed so often in a row. A line counts once, or `weight` times. */
  lines: readonly { says: string; failures?: number; weight?: number }[];
  /** The alarm goes off at this count in a quarter of an hour, if it is also this share of the first function's runs. */
  minCount: number;
  minPercent?: number;
  meaning: string;
}

const metricHint = 'The metric of the same name says of which provider, the log line says which of these it is.';

export const providerProblems: readonly ProviderProblem[] = [
  {
    name: 'SyncsFailing',
    functions: ['sync'],
    // 5 % of the runs meet a provider that is away, or 1 % fail here.
    lines: [
      { says: 'provider_unavailable', failures: 3 },
      { says: 'sync_failed', failures: 3, weight: 5 },
    ],
    minCount: 1,
    minPercent: 5,
    meaning: `Data from wearables comes late: a provider answers many people not at all (provider_unavailable), or syncs fail again and again for a reason of ours (sync_failed). ${metricHint}`,
  },
  {
    name: 'ProvidersUnusable',
    functions: ['sync', 'connect'],
    lines: [
      { says: 'provider_credentials_refused' },
      { says: 'a provider with connected devices has no credentials' },
      { says: 'a provider is misconfigured' },
      { says: 'the secret of the providers cannot be read; what was good before serves on' },
      { says: 'a vendor could not be asked for pushes; its people are polled meanwhile', failures: 3 },
    ],
    minCount: 1,
    meaning: `A provider refuses what this deployment has in the providers' secret, or sends it nothing any more. Data stops or comes late, and nobody can connect, until the secret is put right. ${metricHint}`,
  },
  {
    name: 'DataWithheld',
    functions: ['sync'],
    lines: [{ says: 'announced_data_refused' }, { says: 'announced_data_too_large' }, { says: 'consent_ended' }],
    minCount: 5,
    minPercent: 1,
    meaning: `Many people are disconnected at once because a provider says that their consent has ended (consent_ended), or a provider does not give out data that it announced: workouts are there, and their heart rate may be missing. ${metricHint}`,
  },
  {
    name: 'ConsentsUnsettled',
    functions: ['sync'],
    lines: [{ says: 'too_many_consents_ended' }, { says: 'revocation_given_up' }],
    minCount: 1,
    meaning: `A provider says of more people than usual that their consent has ended (too_many_consents_ended): it is not believed for now, and asked again every hour. Find out whether the provider errs, or the table was restored to an earlier time; "disconnects_per_hour" in the provider's settings stops it altogether (0), or lets it through. Or a provider did not take a consent back within a day after a disconnect or a deletion (revocation_given_up): it stays there until the person ends it. ${metricHint}`,
  },
  {
    name: 'PushesRefused',
    functions: ['push'],
    lines: [{ says: 'a push was refused' }],
    minCount: 10,
    meaning: `Pushes do not carry the signature or the address that a provider was given: its secret may have changed, or somebody tries. ${metricHint}`,
  },
];
