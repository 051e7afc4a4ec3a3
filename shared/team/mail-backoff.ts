// When a message that was not taken is tried again, by what stood in its way.
import { MailThrottled, SenderRefused } from '../platform/ports.ts';
import type { InvitationMail } from './invitation-rows.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** What somebody is to put right is looked at so often. */
const operatorRetryMs = 60 * minuteMs;
/** After each failure; the last one stays. */
const failureDelaysMs = [1, 5, 15, 60, 180].map((minutes) => minutes * minuteMs);
/** Too many at once come back anywhere in a window, which is wider each time. */
const firstWindowMs = 15 * secondMs;
const maxWindowMs = 120 * secondMs;

/** A message that nobody took for so long is given up; it can be asked for again. */
export const mailRetryWindowMs = 24 * 60 * minuteMs;

/** `share` is chance, from 0 up to 1. */
export function mailRetryDelayMs(
  error: unknown,
  { failures, throttles }: Pick<InvitationMail, 'failures' | 'throttles'>,
  share: number,
): number {
  if (error instanceof MailThrottled)
    return Math.ceil(secondMs + share * Math.min(maxWindowMs, firstWindowMs * 2 ** Math.min(throttles, 10)));
  if (error instanceof SenderRefused) return operatorRetryDelayMs(share);
  return withJitter(failureDelaysMs[Math.min(failures, failureDelaysMs.length - 1)] ?? minuteMs, share);
}

export const operatorRetryDelayMs = (share: number): number => withJitter(operatorRetryMs, share);

const withJitter = (pauseMs: number, share: number): number => Math.ceil(pauseMs * (1 + share / 10));

/** The pause ends with the day, so that nobody waits longer to hear that it was in vain. */
export const capToRetryWindow = (atMs: number, { requestedMs: askedMs }: InvitationMail): number =>
  Math.min(atMs, askedMs + mailRetryWindowMs);
