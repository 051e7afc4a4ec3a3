// Works off what a connection is owed: what pushes said, the look that is due, and then the history, a window at a time.
import { addDays } from '../../model/local-day.ts';
import { sandboxHistoryDays } from '../../model/sandbox.ts';
import type { DayWindow } from '../../providers/pages.ts';
import { Unexpected } from '../../providers/vendor.ts';
import { subscriptionRows } from '../../store/subscriptions.ts';
import { VendorAway } from '../providers/send.ts';
import { wake } from '../work/wake.ts';
import { nextDays } from './days-to-read.ts';
import { lookIntoNotes, lookIntoPutOff, withDays } from './look-into-notes.ts';
import { derivedKeys, pushPath } from './push-keys.ts';
import { readOrPutAside, tryAside } from './put-aside.ts';
import { beforeLongMs, mayBeAsked, pollAfterMs, spread } from './sync-backoff.ts';
import { daysReadAgain, keepProgress, planned, type SyncRun, today } from './sync-run.ts';

/** No window is begun after it. */
const mostMs = 35_000;
/** Then another worker goes on: a long history keeps none of them from others for long. */
const mostWindows = 8;
/** Of a subscription that could not be made, and of one that the vendor wants to see again soon. */
const againAfterMs = 3_600_000;
const soonestMs = 60_000;

/** False when the time was over before everything was done. */
export async function workOff(run: SyncRun): Promise<boolean> {
  const { deps, adapter } = run;
  if (run.row.history === undefined) await begin(run);
  await subscribe(run);
  for (;;) {
    await lookIntoNotes(run);
    await lookAround(run);
    const { again, history, stride } = planned(run);
    const windowDays = Math.min(stride ?? adapter.descriptor.sync.windowDays, adapter.descriptor.sync.windowDays);
    const next = nextDays({ again, history: history ?? null }, windowDays);
    if (!next) {
      if ((await lookIntoPutOff(run)) || (await tryAside(run))) continue;
      return true;
    }
    if (run.windows >= mostWindows || deps.clock.now() - run.startedMs >= mostMs) return false;
    const taken = await readOrPutAside(run, next.days);
    run.windows += 1;
    const isHistory = again.length === 0;
    run.change = {
      ...run.change,
      ...taken,
      again: [...next.rest.again, ...(isHistory ? seamBefore(run, next.days) : [])],
      history: next.rest.history,
      ...(isHistory ? { historyZone: run.user.timezone } : {}),
      failures: 0,
      notBeforeMs: 0,
      dead: null,
      stride: Math.min(windowDays * 2, adapter.descriptor.sync.windowDays),
    };
    // What is done last is written when the connection is given back.
    if (nextDays(next.rest, 1)) await keepProgress(run);
  }
}

/**
 * A window follows the one before it day by day. Where the person's zone has changed between the
 * two, what lies between both kinds of day is in neither, so the days where they meet are read again.
 */
function seamBefore(run: SyncRun, { to }: DayWindow): DayWindow[] {
  const { historyZone } = planned(run);
  const isSeam = historyZone !== undefined && historyZone !== run.user.timezone;
  return isSeam && mayBeAsked(run.adapter.descriptor) ? [{ from: to, to: addDays(to, 1) }] : [];
}

/** The history goes back from today, so the first window is the newest days. */
async function begin(run: SyncRun): Promise<void> {
  const { deps, adapter, row } = run;
  const most = row.env === 'sandbox' ? sandboxHistoryDays : Number.POSITIVE_INFINITY;
  const historyDays = Math.min(adapter.descriptor.historyDays, most);
  const to = today(run);
  const nowMs = deps.clock.now();
  run.change = {
    ...run.change,
    history: { from: addDays(to, -historyDays), to },
    pollMs: nowMs + spread(pollAfterMs(adapter.descriptor), deps.random.bytes(2)),
    lookedMs: nowMs,
  };
  if (row.env === 'live' && adapter.subscriptions?.ofDeployment) {
    const isNew = await subscriptionRows(deps.store).open(row.provider, row.env, row.origin, nowMs);
    if (isNew) await wake(deps, 'sync', { provider: row.provider, env: row.env });
  }
  // Callers are shown from when on it is fetched before anything of it is.
  await keepProgress(run);
}

/** The built-in vendor sends to whoever is connected. */
async function subscribe(run: SyncRun): Promise<void> {
  const { deps, adapter, configured, row, line, tokens } = run;
  const nowMs = deps.clock.now();
  if (row.env === 'sandbox' || !adapter.subscriptions?.ofPerson || row.subscribeMs > nowMs) return;
  const asked = {
    credentials: configured.credentials,
    // A deployment that has moved since is told of at its new address.
    callbackUrl: (deps.place.baseUrl ?? row.origin) + pushPath(deps, row.provider, row.env),
    verificationToken: derivedKeys(deps, row.provider, row.env).verificationToken,
    known: undefined,
    nowMs,
    account: row.vendorAccount ?? '',
  };
  run.change = { ...run.change, subscribeMs: nowMs + againAfterMs };
  try {
    const { againMs } = await line.asPerson(adapter.subscriptions.ofPerson(asked), tokens);
    run.change = { ...run.change, subscribeMs: Math.max(againMs, nowMs + soonestMs) };
  } catch (error) {
    // Without it data comes by asking.
    if (!(error instanceof Unexpected || error instanceof VendorAway)) throw error;
    deps.log('warn', "a person's subscription could not be made; it is tried again later", {
      provider: row.provider,
      device_id: row.device,
      message: error.message,
    });
  }
}

/** A vendor that pushes is asked only when nothing was heard of it for long, or was not asked for a day: a push may have been lost. */
async function lookAround(run: SyncRun): Promise<void> {
  const { deps, adapter, device } = run;
  const nowMs = deps.clock.now();
  if (planned(run).pollMs > nowMs) return;
  const afterMs = pollAfterMs(adapter.descriptor);
  const heardMs = beforeLongMs(adapter.descriptor, planned(run).lookedMs, device.receivedMs + afterMs);
  if (adapter.descriptor.push && heardMs > nowMs) {
    run.change = { ...run.change, pollMs: heardMs };
    return;
  }
  // Where no data may be asked for, at least the tokens stay good.
  if (!mayBeAsked(adapter.descriptor)) await run.tokens.current();
  const days = mayBeAsked(adapter.descriptor) ? [daysReadAgain(run)] : [];
  const pollMs = nowMs + spread(afterMs, deps.random.bytes(2));
  run.change = { ...run.change, pollMs, lookedMs: nowMs, ...withDays(run, days) };
}
