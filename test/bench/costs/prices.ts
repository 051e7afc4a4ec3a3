// AWS list prices for us-east-1 in dollars, and the assumptions needed to apply them. Excluded:
// data transfer, free tiers, taxes, cold starts, and the metrics of log filters for errors, which
// cost nothing while there are no errors.

const million = 1e6;
const hoursPerMonth = 730;
export const secondsPerMonth = hoursPerMonth * 3_600;

/**
 * The share of provisioned capacity that is used. Autoscaling targets 70% and lags behind the
 * daily curve.
 */
export const provisionedUtilization = 0.5;
/** The smallest table with provisioned capacity. */
export const smallestCapacity = { writes: { min: 1, max: 1_000 }, reads: { min: 1, max: 1_000 } };
/**
 * DynamoDB creates its own alarms for each scaling policy: usage too high, usage too low, and
 * changes of the provisioned capacity.
 */
export const alarmsPerPolicy = 4;
const unitsPerHour = 3_600 * provisionedUtilization;

export const prices = {
  table: {
    onDemand: { write: 0.625 / million, read: 0.125 / million },
    /** $0.00065 per write unit and hour, $0.00013 per read unit and hour. */
    provisioned: { write: 0.00065 / unitsPerHour, read: 0.00013 / unitsPerHour },
    /** The price of the provisioned capacity itself, without the utilization factor. */
    provisionedHour: { write: 0.00065, read: 0.00013 },
    /**
     * Per gigabyte and month, storage plus point-in-time recovery. Lambda reads the stream for
     * free.
     */
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
 * How long a warm run is billed, in milliseconds. Calls count as sequential, so this is an upper
 * bound. Machines differ, so no time measured here is used.
 */
export const lambdaTime = {
  run: 10,
  tableCall: 5,
  queueRequest: 8,
  busEntry: 12,
  /** A message about a webhook or a provider waits for the remote side. */
  webhook: 150,
  provider: 600,
} as const;

/** Lambda assigns a full CPU at 1,769 MB. With less memory the same work takes longer. */
export const gigabytesPerCpu = 1_769 / 1_024;

/** The START, END and REPORT lines of each run, and CloudWatch's overhead per line. */
export const logBytes = { run: 450, line: 26 } as const;

/**
 * A process decrypts each daily data key once, and every token refresh seals tokens with the
 * current key. The estimate is two keys for the hundred messages that a process handles in its
 * lifetime.
 */
export const kmsCallsPerMessage = 2 / 100;

/**
 * The monthly free tier that also applies after an account's first year. Printed for information
 * only.
 */
export const alwaysFree = { alarmMetrics: 10, queueRequests: million, kmsCalls: 20_000 } as const;

/**
 * A Lambda event source mapping polls an empty standard queue with five long polls of 20 seconds:
 * 15 requests per minute. Only a mapping without a concurrency limit may scale down to two pollers.
 * FIFO queues are assumed to be polled at the same rate.
 */
export const idlePolls = { pollers: 5, pollersWithoutCeiling: 2, seconds: 20 } as const;
export const idleRequestsPerMonth = (pollers: number): number => (pollers * secondsPerMonth) / idlePolls.seconds;

/**
 * DynamoDB calls KMS every five minutes for each function that uses a table with a customer managed
 * key.
 */
export const tableKeyCallsPerMonth = secondsPerMonth / 300;
