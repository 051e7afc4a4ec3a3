// Limits of uploads, and of the rejections that are reported.

/**
 * The limits of one upload. Each is far above what a phone collects between two uploads. Lambda
 * accepts 6 MB, including the base64 encoding of the body.
 */
export const uploadLimits = {
  wireBytes: 4_000_000,
  decompressedBytes: 25_000_000,
  records: 50_000,
  /** Per workout: more than a day at one point a second. */
  tracePoints: 100_000,
  /** Per night: 25 hours of half minutes. */
  sleepStages: 3_000,
  /** The sleep sessions, and likewise the workouts, of one device on one day. */
  sessionsPerDay: 200,
  /** The stages of all sleep sessions of one device on one day: two days of half minutes. */
  sleepStagesPerDay: 6_000,
  firstYear: 2000,
  /** The nesting of lists and objects; a record needs five levels. */
  depth: 32,
  /** The objects, lists and their members in the whole body. */
  values: 1_500_000,
} as const;

export const maxReportedRejections = 100;
/** Of the unknown fields of an upload, and of the characters of their names. */
export const maxReportedFields = 10;
export const maxReportedFieldLength = 64;
