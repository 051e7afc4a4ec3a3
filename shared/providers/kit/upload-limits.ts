// How much of everything is taken at once, and told of.

/** What an upload may have: each is far more than a person's phone gathers between two uploads. Lambda takes 6 MB with the body in base64. */
export const uploadLimits = {
  wireBytes: 4_000_000,
  decompressedBytes: 25_000_000,
  records: 50_000,
  /** Of one workout: a day and more at one a second. */
  tracePoints: 100_000,
  /** Nights, and workouts, of one device that count on one day. */
  sessionsPerDay: 200,
  firstYear: 2000,
  /** Of lists and objects within each other; a record needs five. */
  depth: 32,
  /** Of objects, lists and their members in the whole body. */
  values: 1_500_000,
} as const;

export const maxReportedRejections = 100;
