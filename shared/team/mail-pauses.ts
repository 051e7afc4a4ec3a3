// When a message that was not taken is tried again, by what stood in its way.
import { MailThrottled, SenderRefused } from '../platform/ports.ts';
import type { InvitationMail } from './invitation-rows.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** What somebody is to put right is looked at so often. */
const heldMs = 60 * minuteMs;
/** After each failure; the last one stays. */
const pausesMs = [1, 5, 15, 60, 180].map((minutes) => minutes * minuteMs);
/** Too many at once come back anywhere in a window, which is wider each time. */
const firstWindowMs = 15 * secondMs;
const widestWindowMs = 120 * secondMs;

/** A message that nobody took for so long is given up; it can be asked for again. */
export const triedForMs = 24 * 60 * minuteMs;

/** `share` is chance, from 0 up to 1. */
export function pauseAfter(
  error: unknown,
  { failures, throttles }: Pick<InvitationMail, 'failures' | 'throttles'>,
  share: number,
): number {
  if (error instanceof MailThrottled)
    return Math.ceil(secondMs + share * Math.min(widestWindowMs, firstWindowMs * 2 ** Math.min(throttles, 10)));
  if (error instanceof SenderRefused) return heldPause(share);
  return withChance(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? minuteMs, share);
}

export const heldPause = (share: number): number => withChance(heldMs, share);

const withChance = (pauseMs: number, share: number): number => Math.ceil(pauseMs * (1 + share / 10));

/** The pause ends with the day, so that nobody waits longer to hear that it was in vain. */
export const withinItsDay = (atMs: number, { askedMs }: InvitationMail): number => Math.min(atMs, askedMs + triedForMs);
