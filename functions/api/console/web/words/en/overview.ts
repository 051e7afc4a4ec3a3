// The words of the overview.

export const overviewWords = {
  overview: {
    title: 'Overview',
    lead: 'What needs attention in this environment, and what happened by hour.',
    attention: 'Needs attention',
    calm: 'Nothing needs attention: every endpoint receives its events, the key works, uploads are processed, and every provider can be connected.',
    webhookFailing: 'An endpoint has not received events since',
    webhookDisabled: 'Daybook disabled an endpoint. It has been failing since',
    webhookAction: 'Open the endpoint',
    keyEnding: 'The API key of this environment stops working',
    keyEnded: 'The API key of this environment stopped working',
    keyAction: 'Open the keys',
    quarantined: (count: number, hasMore: boolean) =>
      hasMore
        ? `More than ${count} uploads could not be processed and were quarantined, the first`
        : count === 1
          ? 'One upload could not be processed and was quarantined'
          : `${count} uploads could not be processed and were quarantined, the first`,
    quarantinedNote: 'Their data is stored. The operator of this deployment can retry them: daybook uploads list.',
    quarantinedAction: 'Open the person',
    connections: (people: string, provider: string, hasMore: boolean) =>
      `The syncs of ${hasMore ? 'at least ' : ''}${people} with ${provider} fail repeatedly, the first since`,
    connectionsNote: 'They are retried, and no data is lost.',
    connectionsAction: 'Open the providers',
    countPeople: (count: number) => (count === 1 ? 'one person' : `${count} people`),
    providers: (count: number) =>
      count === 1 ? 'One provider cannot be connected yet:' : `${count} providers cannot be connected yet:`,
    providersNote: 'This deployment has no credentials for them. Phones and the sandbox need no credentials.',
    providersAction: 'What to do',
    now: 'Now',
    people: 'People',
    events: 'Events so far',
    showPeople: 'See the newest people',
    showEvents: 'See what happened last',
    charts: 'By hour',
    chartsLead:
      'Hours are in your time zone. A gap is an hour of which nothing is known; the hatched hour is not over.',
    range: 'Range',
    ranges: { '24h': '24 hours', '7d': '7 days', '30d': '30 days' },
    series: {
      people: 'People',
      uploads: 'Uploads',
      records: 'Records',
      events: 'Events',
      deliveries: 'Deliveries',
      failedAttempts: 'Failed attempts',
      errors: 'Errors',
      clientErrors: 'Errors of the caller (4xx)',
      serverErrors: 'Errors of Daybook (5xx)',
      rateLimit: 'Rate limit',
      use: 'Used on average',
      requests: 'Requests',
      limited: 'Refused (429)',
    },
    notes: {
      people: 'At the end of each hour.',
      uploads: 'Batches of phones and providers that changed data.',
      events: 'What the feed has.',
      deliveries: 'Events for endpoints. Failed attempts (dashed) are approximate.',
      errors:
        'Responses to API keys, approximate: what a process has not stored when it ends is missing. 5xx is dashed.',
      rateLimit:
        'Requests with API keys, as a share of what the limit allows. Bursts do not show. Refused requests are approximate.',
    },
    total: (value: string) => `${value} in all`,
    nothingYet: 'Nothing is known yet',
    steps: 'Your first request in three steps',
    stepsLead: 'Run these on your machine. DAYBOOK_KEY is the key of this environment; the browser never holds it.',
    stepTitles: ['Create a person', 'Read the people', 'Read what happened'],
  },
};
