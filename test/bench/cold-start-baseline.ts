// Cold starts before the move to the official packages: CPU time relative to a bare Node start,
// each the median of 45 runs.

export const coldStartBaseline: Record<string, number> = {
  catalogs: 4.71,
  users: 4.99,
  tokens: 5.23,
  devices: 4.76,
  sdk: 5.59,
  data: 6.13,
  events: 4.92,
  scores: 5.91,
  webhooks: 4.68,
  reference: 9.41,
  consolidation: 4.95,
  deliver: 4.03,
  'seed-sandbox': 4.07,
  'feed-sandbox': 4.43,
  sweep: 5.83,
};
