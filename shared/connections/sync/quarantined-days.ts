// Quarantines a day that the provider fails on while it answers for others, so that the rest of the
// history can be read. Some quarantined days are retried every day.
import { addDays } from '../../platform/time/local-day.ts';
import type { DayWindow } from '../../providers/kit/provider-pages.ts';
import { UnexpectedResponse } from '../../providers/kit/request-flow.ts';
import { ProviderUnavailable } from '../client/send-to-provider.ts';
import { addJitter } from '../client/sync-backoff.ts';
import { OutOfTime } from '../client/sync-errors.ts';
import { connectionLogFields } from '../connection-rows.ts';
import type { SyncPlan } from '../sync-plan.ts';
import { listDays, mergeWindows, subtractDays } from './days-to-read.ts';
import { readDays } from './read-days.ts';
import { type SyncContext, type SyncState, todayFor, withPlan } from './sync-state.ts';

/** The number of failures, of any kind, before a single day is suspected. */
const suspectAfterFailures = 3;
/**
 * Far enough away that the probe does not include the suspect day: requests also cover some days
 * around the wanted ones.
 */
const probeDistanceDays = 7;
const quarantineRetryMs = 24 * 3_600_000;
const maxTries = 3;

export const nextQuarantineRetryMs = ({ deps }: SyncContext): number =>
  deps.clock.now() + addJitter(quarantineRetryMs, deps.random.bytes(2));

export async function readOrQuarantine(context: SyncContext, state: SyncState, days: DayWindow): Promise<SyncState> {
  try {
    const read = await readDays(context, state, days);
    return withPlan(read, { quarantined: subtractDays(read.plan.quarantined, days) });
  } catch (error) {
    if (!isSuspect(state.plan, days) || !isDaySpecific(error)) throw error;
    // This also fails when the provider is unavailable.
    const read = await readDays(
      context,
      { ...state, isFresh: false },
      pickProbeDay(todayFor(context, state), days.from),
    );
    context.deps.log('warn', 'day_quarantined', {
      ...connectionLogFields(state.connection),
      day: days.from,
      detail: error.message,
    });
    const { quarantined, quarantineMs } = state.plan;
    return withPlan(read, {
      requests: state.plan.requests,
      quarantined: mergeWindows([...quarantined, days]),
      quarantineMs: quarantined.length > 0 ? quarantineMs : nextQuarantineRetryMs(context),
    });
  }
}

const isDaySpecific = (error: unknown): error is ProviderUnavailable | UnexpectedResponse =>
  error instanceof UnexpectedResponse || (error instanceof ProviderUnavailable && error.status !== 429);

/**
 * The day before a quarantined one is suspected at once, because a defect rarely affects only a
 * single day.
 */
const isSuspect = ({ failures, quarantined }: SyncPlan, { from, to }: DayWindow): boolean =>
  from === to && (failures >= suspectAfterFailures || quarantined.some((days) => days.from === addDays(to, 1)));

function pickProbeDay(now: string, day: string): DayWindow {
  const other = day < addDays(now, -probeDistanceDays) ? now : addDays(day, -2 * probeDistanceDays);
  return { from: other, to: other };
}

/**
 * Retries a few days, starting with a random one. When one can be read, the adjacent ones are read
 * again.
 */
export async function retryQuarantined(context: SyncContext, before: SyncState): Promise<SyncState> {
  const days = listDays(before.plan.quarantined);
  const [high = 0, low = 0] = context.deps.random.bytes(2);
  const first = (high * 256 + low) % days.length;
  let state = before;
  for (const day of [...days.slice(first), ...days.slice(0, first)].slice(0, maxTries))
    try {
      state = releaseDay(await readDays(context, state, { from: day, to: day }), day);
    } catch (error) {
      if (error instanceof OutOfTime || (error instanceof ProviderUnavailable && error.status === undefined)) break;
      if (!isDaySpecific(error)) throw error;
      state = { ...state, isFresh: false };
    }
  return withPlan(state, { quarantineMs: nextQuarantineRetryMs(context), requests: before.plan.requests });
}

function releaseDay(state: SyncState, day: string): SyncState {
  const { quarantined, rereadDays } = state.plan;
  const containing = quarantined.filter(({ from, to }) => from <= day && to >= day);
  const change = {
    quarantined: quarantined.filter((each) => !containing.includes(each)),
    rereadDays: [...rereadDays, ...subtractDays(containing, { from: day, to: day })],
  };
  return { ...withPlan(state, change), windows: state.windows + 1 };
}
