// When to retry a message that was not accepted, depending on the reason.
import { MailThrottled, SenderRefused } from './ports.ts';

export interface MailAttempts {
  /** How often it failed, other than by throttling. */
  failures: number;
  throttles: number;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** The retry interval for a problem that an operator has to fix. */
const operatorRetryMs = 60 * minuteMs;
/** The delay after each failure; the last one repeats. */
const failureDelaysMs = [1, 5, 15, 60, 180].map((minutes) => minutes * minuteMs);
/** Throttled messages are retried at a random time within a window that widens each time. */
const firstWindowMs = 15 * secondMs;
const maxWindowMs = 120 * secondMs;

/** A message that is not accepted within this time is given up. It can be requested again. */
export const mailRetryWindowMs = 24 * 60 * minuteMs;

/** `share` is a random number from 0 up to 1. */
export function mailRetryDelayMs(error: unknown, { failures, throttles }: MailAttempts, share: number): number {
  if (error instanceof MailThrottled)
    return Math.ceil(secondMs + share * Math.min(maxWindowMs, firstWindowMs * 2 ** Math.min(throttles, 10)));
  if (error instanceof SenderRefused) return operatorRetryDelayMs(share);
  return withJitter(failureDelaysMs[Math.min(failures, failureDelaysMs.length - 1)] ?? minuteMs, share);
}

export const operatorRetryDelayMs = (share: number): number => withJitter(operatorRetryMs, share);

const withJitter = (pauseMs: number, share: number): number => Math.ceil(pauseMs * (1 + share / 10));

/**
 * Caps the delay at the end of the retry window, so that callers learn of a final failure without
 * waiting longer.
 */
export const capToRetryWindow = (atMs: number, { requestedMs }: { requestedMs: number }): number =>
  Math.min(atMs, requestedMs + mailRetryWindowMs);
