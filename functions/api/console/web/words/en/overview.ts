// The words of the overview.

export const overviewWords = {
  overview: {
    title: 'Overview',
    lead: 'What needs attention in this environment.',
    attention: 'Needs attention',
    calm: 'Nothing needs attention: every endpoint receives its events, the key works, and every provider can be connected.',
    webhookFailing: 'An endpoint has not received events since',
    webhookDisabled: 'Daybook disabled an endpoint. It has been failing since',
    webhookAction: 'Open the endpoint',
    keyEnding: 'The API key of this environment stops working',
    keyEnded: 'The API key of this environment stopped working',
    keyAction: 'Open the keys',
    providers: (count: number) =>
      count === 1 ? 'One provider cannot be connected yet:' : `${count} providers cannot be connected yet:`,
    providersNote: 'This deployment has no credentials for them. Phones and the sandbox need no credentials.',
    providersAction: 'What to do',
    now: 'Now',
    people: 'People',
    events: 'Events so far',
    showPeople: 'See the newest people',
    showEvents: 'See what happened last',
    steps: 'Your first request in three steps',
    stepsLead: 'Run these on your machine. DAYBOOK_KEY is the key of this environment; the browser never holds it.',
    stepTitles: ['Create a person', 'Read the people', 'Read what happened'],
  },
};
