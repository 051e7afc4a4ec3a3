// What becomes of a sync that could not go on: whatever it was about stays owed, and is tried again later the more often that happened.
import { EngineUnavailable } from '../../engine/ports.ts';
import { daysBetween } from '../../model/local-day.ts';
import { Unexpected } from '../../providers/vendor.ts';
import { Overtaken } from '../ingest/accept-records.ts';
import { VendorAway } from '../providers/send.ts';
import { randomShare, retryAfterMs } from '../work/backoff.ts';
import { CredentialsRefused, LeaseLost, OutOfBudget, OutOfTime, TokenRefused } from './breaks.ts';
import { tokenRefused } from './consent-ended.ts';
import { letGo } from './let-go.ts';
import { backoffMs } from './sync-backoff.ts';
import { planned, release, type SyncRun } from './sync-run.ts';
import { pauseMs } from './vendor-line.ts';

/** A pause that callers are told of. */
const longPauseMs = 15 * 60_000;
const soonMs = 5_000;

export async function breakOff(run: SyncRun, error: unknown): Promise<void> {
  try {
    await settle(run, error);
  } catch (failure) {
    if (!(failure instanceof LeaseLost)) throw failure;
    await letGo(run.deps, run.row);
  }
}

async function settle(run: SyncRun, error: unknown): Promise<void> {
  const { deps } = run;
  const now = deps.clock.now();
  if (error instanceof LeaseLost) throw error;
  // Nothing can be written: when the lease is over, the connection is found due.
  if (error instanceof EngineUnavailable) throw error;
  if (error instanceof OutOfTime) {
    // Another run would come no further.
    if (run.windows === 0 && run.looked === 0) return away(run, error);
    return release(run, { nextMs: now, state: undefined });
  }
  if (error instanceof Overtaken) return release(run, { nextMs: now + soonMs, state: undefined });
  if (error instanceof OutOfBudget) return inLine(run, error);
  if (error instanceof TokenRefused) return refused(run);
  if (error instanceof VendorAway) return away(run, error);
  return failed(run, error);
}

/** Each comes back at a time of its own: when its place comes up, or at any time where no more places are given. */
async function inLine(run: SyncRun, { againMs: freeMs, turn }: OutOfBudget): Promise<void> {
  const { deps } = run;
  const now = deps.clock.now();
  const chance = randomShare(deps.random.bytes(2));
  const againMs = turn === 'none' ? Math.ceil(now + soonMs + ((freeMs - now) * (1 + chance)) / 2) : freeMs;
  const state = againMs - now > longPauseMs ? 'waiting' : undefined;
  await release(run, { nextMs: againMs, state, change: { ...fewerDays(run), notBeforeMs: againMs, turn } });
}

/** The vendor may be away just when it is asked to confirm. */
async function refused(run: SyncRun): Promise<void> {
  try {
    await tokenRefused(run);
  } catch (error) {
    if (!(error instanceof VendorAway)) throw error;
    await away(run, error);
  }
}

/** What was too much for one answer, or for the requests there are, is asked for in smaller parts; the next try takes in account what this one took. */
function fewerDays(run: SyncRun) {
  const { asking, line, spentBefore } = run;
  const spent = line.allowance.spent() - spentBefore;
  // It was not begun.
  if (!asking || spent === 0) return {};
  const days = daysBetween(asking.from, asking.to) + 1;
  const requests = Math.max(planned(run).requests, Math.ceil(spent * 1.5));
  return { stride: Math.max(1, Math.floor(days / 2)), requests };
}

async function away(run: SyncRun, error: VendorAway | OutOfTime): Promise<void> {
  const { deps, row } = run;
  const now = deps.clock.now();
  const failures = planned(run).failures + 1;
  const { status, headers } = error instanceof VendorAway ? error : new VendorAway(error.message);
  const asked = status === 429 ? pauseMs(headers, now) : retryAfterMs(headers['retry-after'], now);
  const waitMs = Math.max(backoffMs(failures, deps.random.bytes(2)), asked);
  deps.log('warn', 'a vendor is away; it is asked again later', {
    provider: row.provider,
    env: row.env,
    device_id: row.device,
    failures,
    message: error.message,
  });
  const change = status === 429 ? {} : fewerDays(run);
  const againMs = now + waitMs;
  await release(run, { nextMs: againMs, state: 'waiting', change: { ...change, failures, notBeforeMs: againMs } });
}

async function failed(run: SyncRun, error: unknown): Promise<void> {
  const { deps, row } = run;
  const failures = planned(run).failures + 1;
  const said = { provider: row.provider, env: row.env, device_id: row.device, failures };
  if (error instanceof CredentialsRefused)
    deps.log('error', 'a vendor refuses the credentials of this deployment', { ...said, message: error.message });
  else deps.log('error', 'a sync failed; it is tried again later', { ...said, cause: error });
  const againMs = deps.clock.now() + backoffMs(failures, deps.random.bytes(2));
  const change = error instanceof Unexpected ? fewerDays(run) : {};
  await release(run, { nextMs: againMs, state: 'failed', change: { ...change, failures, notBeforeMs: againMs } });
}
