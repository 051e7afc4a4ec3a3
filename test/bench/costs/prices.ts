// What AWS charges (list prices of us-east-1, in dollars), and what has to be assumed to apply them.
// Left out: data transfer, free tiers, taxes, cold starts, and the metrics that log filters make of
// trouble, which cost nothing while there is none.

const million = 1e6;
const hoursPerMonth = 730;
export const secondsPerMonth = hoursPerMonth * 3_600;

/** The share of provisioned capacity that is used: autoscaling aims at 70 %, and follows a day's curve late. */
export const provisionedUtilization = 0.5;
/** Of the smallest table that is paid by the hour. */
export const smallestCapacity = { writes: { min: 1, max: 1_000 }, reads: { min: 1, max: 1_000 } };
/** A scaling policy of DynamoDB makes alarms of its own: too much and too little is used, and how much there is. */
export const alarmsPerPolicy = 4;
const unitsPerHour = 3_600 * provisionedUtilization;

export const prices = {
  table: {
    onDemand: { write: 0.625 / million, read: 0.125 / million },
    /** $0.00065 a write unit and hour, $0.00013 a read unit and hour. */
    provisioned: { write: 0.00065 / unitsPerHour, read: 0.00013 / unitsPerHour },
    /** The same without the use, for capacity that stands there. */
    provisionedHour: { write: 0.00065, read: 0.00013 },
    /** A gigabyte and month, stored and restorable to any second. Lambda reads the stream for nothing. */
    gigabyteMonth: 0.25 + 0.2,
  },
  lambda: { gigabyteSecond: 13.3334 / million, run: 0.2 / million },
  httpRequest: 1 / million,
  queueRequest: { standard: 0.4 / million, fifo: 0.5 / million },
  busEntry: 1 / million,
  kms: { call: 0.03 / 10_000, keyMonth: 1 },
  secretMonth: 0.4,
  logGigabyte: 0.5,
  alarmMonth: 0.1,
} as const;

/**
 * How long a warm run is billed for, in milliseconds: calls are taken one after the other, so it is
 * the upper end. Machines differ, so no time that was measured here goes into it.
 */
export const lambdaTime = {
  run: 10,
  tableCall: 5,
  queueRequest: 8,
  busEntry: 12,
  /** A message that is about a webhook or a provider waits for the other side. */
  webhook: 150,
  provider: 600,
} as const;

/** A whole processor comes with 1,769 MB: less memory takes longer for the same. */
export const gigabytesPerCpu = 1_769 / 1_024;

/** START, END and REPORT of each run, and what CloudWatch adds to each line. */
export const logBytes = { run: 450, line: 26 } as const;

/**
 * A process opens the data key of each day once that tokens were sealed on, and tokens are sealed anew with every refresh:
 * two keys for the hundred messages that a process is taken to live for.
 */
export const kmsCallsPerMessage = 2 / 100;

/** What every account is given each month, also after its first year; only said beside the figures. */
export const alwaysFree = { alarmMetrics: 10, queueRequests: million, kmsCalls: 20_000 } as const;

/**
 * A Lambda mapping reads an empty standard queue by five long polls of 20 seconds, always: 15 requests a minute. Only one
 * without a ceiling on its concurrency may go down to two. FIFO queues are taken to be polled as much.
 */
export const idlePolls = { pollers: 5, pollersWithoutCeiling: 2, seconds: 20 } as const;
export const idleRequestsPerMonth = (pollers: number): number => (pollers * secondsPerMonth) / idlePolls.seconds;

/** DynamoDB calls KMS every five minutes for each function that uses a table under a key of its own. */
export const tableKeyCallsPerMonth = secondsPerMonth / 300;
