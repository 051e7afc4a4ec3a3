// Whatever is owed to one connection: a vendor is asked, or no longer waited for. A lease keeps others away meanwhile.
import { adapterOf } from '../../providers/adapters.ts';
import { conditionalWrite } from '../../store/conditional-write.ts';
import { revocationRows } from '../../store/revocations.ts';
import { type SealedGrant, type SyncRow, syncRows } from '../../store/syncs.ts';
import { failConnection } from '../connect/complete.ts';
import type { Deps } from '../deps.ts';
import type { ConfiguredProvider } from '../providers/configured.ts';
import { activeDevices, subjectEvenUnshared } from '../users/subject.ts';
import { workerLifeMs } from '../work/worker-life.ts';
import { breakOff } from './break-off.ts';
import { openTokens } from './held-tokens.ts';
import { letGo } from './let-go.ts';
import { configuredForWork, personLine } from './person-line.ts';
import { planned, release, type SyncRun } from './sync-run.ts';
import { workOff } from './work-off.ts';

const hourMs = 3_600_000;

/** Does nothing when it is not due, in other hands, or gone. */
export async function syncDevice(deps: Deps, userId: string, deviceId: string): Promise<void> {
  const now = deps.clock.now();
  const row = await syncRows(deps.store).claim(userId, deviceId, now, now + workerLifeMs);
  if (!row) return;
  if (row.status === 'awaited' || row.status === 'exchanging') return giveUp(deps, row);
  const configured = await configuredForWork(deps, row);
  if (!configured) return leave(deps, row, now + hourMs);
  await sync(deps, row, configured, now);
}

async function sync(deps: Deps, row: SyncRow, configured: ConfiguredProvider, startedMs: number): Promise<void> {
  const subject = await subjectEvenUnshared(deps, row.user);
  const device = activeDevices(subject?.devices ?? []).find(({ id }) => id === row.device);
  // The user is being deleted: whoever does that ends the connection.
  if (!subject || !device) return leave(deps, row, startedMs + hourMs);
  if (subject.user.status === 'unshared') return pause(deps, row);
  if (row.notBeforeMs > startedMs) return leave(deps, row, row.notBeforeMs);
  const adapter = adapterOf(row.provider);
  const line = personLine(deps, configured, { ...row, startedMs });
  const run: SyncRun = {
    deps,
    adapter,
    configured,
    line,
    tokens: openTokens(deps, row, adapter, configured, line, (sealed) => kept(deps, row, sealed)),
    user: subject.user,
    device,
    justRead: true,
    row,
    change: {},
    looked: 0,
    putOff: [],
    windows: 0,
    spentBefore: 0,
    saidEnded: false,
    startedMs,
  };
  try {
    const isDone = await workOff(run);
    await release(run, { nextMs: isDone ? nextOf(run) : deps.clock.now(), state: undefined });
  } catch (error) {
    await breakOff(run, error);
  }
}

/** Also when the consent is to be given back meanwhile: with these. */
const kept = async ({ store }: Deps, row: SyncRow, sealed: SealedGrant): Promise<boolean> =>
  (await syncRows(store).renew(row, sealed)) || revocationRows(store).renew(row, sealed);

function nextOf(run: SyncRun): number {
  const { pollMs, subscribeMs } = planned(run);
  return subscribeMs > 0 ? Math.min(pollMs, subscribeMs) : pollMs;
}

/** Nobody came while the link was good, or whoever came was lost on the way. */
async function giveUp(deps: Deps, row: SyncRow): Promise<void> {
  await failConnection(deps, row, row.status === 'awaited' ? 'link_expired' : 'provider_unavailable');
}

/**
 * Nothing is fetched or noted from here on, and no sweep finds it: it is due again when the person
 * shares again, which refuses this where it comes between.
 */
async function pause(deps: Deps, row: SyncRow): Promise<void> {
  const pausing = syncRows(deps.store).releasing(row, { pausedMs: deps.clock.now() }, undefined);
  const { held } = await conditionalWrite(deps.store.table, pausing);
  if (!held) await letGo(deps, row);
}

/**
 * As it was found, for later; where it has ended or something was noted meanwhile, others need not
 * wait for this worker.
 */
async function leave(deps: Deps, row: SyncRow, nextMs: number): Promise<void> {
  const { held } = await conditionalWrite(deps.store.table, syncRows(deps.store).releasing(row, {}, nextMs));
  if (!held) await letGo(deps, row);
}
