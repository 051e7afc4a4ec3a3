// Whatever is owed to one connection: a vendor is asked, told that the consent is given back, or no longer waited for. A lease keeps others away meanwhile.
import { adapterOf, grantOf } from '../../providers/adapters.ts';
import { conditionalWrite } from '../../store/conditional-write.ts';
import { type SyncRow, syncRows } from '../../store/syncs.ts';
import { failConnection } from '../connect/complete.ts';
import type { Deps } from '../deps.ts';
import { type ConfiguredProvider, configuredProvider, Misconfigured } from '../providers/configured.ts';
import { activeDevices, subjectOf } from '../users/subject.ts';
import { workerLifeMs } from '../work/worker-life.ts';
import { openAllowance } from './allowance.ts';
import { breakOff } from './break-off.ts';
import { openTokens } from './held-tokens.ts';
import { revokeConsent } from './revoke-consent.ts';
import { planned, release, type SyncRun } from './sync-run.ts';
import { openLine, type VendorLine } from './vendor-line.ts';
import { workOff } from './work-off.ts';

/** No request is begun after it: what it brings must still be written in a worker's life. */
const mostAskingMs = 45_000;
const hourMs = 3_600_000;

/** Does nothing when it is not due, in other hands, or gone. */
export async function syncDevice(deps: Deps, userId: string, deviceId: string): Promise<void> {
  const now = deps.clock.now();
  const row = await syncRows(deps.store).claim(userId, deviceId, now, now + workerLifeMs);
  if (!row) return;
  if (row.status === 'awaited' || row.status === 'exchanging') return giveUp(deps, row);
  const configured = await configuredFor(deps, row);
  if (row.status === 'revoking')
    return revokeConsent(deps, row, configured && { configured, line: lineTo(deps, row, configured, now) });
  if (!configured) return leave(deps, row, now + hourMs);
  await sync(deps, row, configured, now);
}

async function sync(deps: Deps, row: SyncRow, configured: ConfiguredProvider, startedMs: number): Promise<void> {
  const subject = await subjectOf(deps, row.user);
  const device = activeDevices(subject?.devices ?? []).find(({ id }) => id === row.device);
  // The user is being deleted: whoever does that ends the connection.
  if (!subject || !device) return leave(deps, row, startedMs + hourMs);
  if (row.notBeforeMs > startedMs) return leave(deps, row, row.notBeforeMs);
  const adapter = adapterOf(row.provider);
  const line = lineTo(deps, row, configured, startedMs);
  const run: SyncRun = {
    deps,
    adapter,
    configured,
    line,
    tokens: openTokens(deps, row, adapter, configured, line),
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

function nextOf(run: SyncRun): number {
  const { pollMs, subscribeMs } = planned(run);
  return subscribeMs > 0 ? Math.min(pollMs, subscribeMs) : pollMs;
}

function lineTo(deps: Deps, row: SyncRow, configured: ConfiguredProvider, startedMs: number): VendorLine {
  const allowance = openAllowance(deps, {
    limits: configured.limits,
    provider: row.provider,
    person: deps.keyring.hash('vendor-person', `${row.provider} ${row.vendorAccount}`),
    // Whoever gives a consent back need not wait.
    turn: row.status === 'active' ? row.turn : 'free',
  });
  return openLine(deps, configured, grantOf(row.provider), { allowance, untilMs: startedMs + mostAskingMs });
}

async function configuredFor(deps: Deps, { provider, env }: SyncRow): Promise<ConfiguredProvider | undefined> {
  try {
    const configured = await configuredProvider(deps, provider, env);
    if (!configured) deps.log('error', 'a provider with connected devices has no credentials', { provider, env });
    return configured;
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    deps.log('error', 'a provider is misconfigured', { provider, message: error.message });
    return undefined;
  }
}

/** Nobody came while the link was good, or whoever came was lost on the way. */
async function giveUp(deps: Deps, row: SyncRow): Promise<void> {
  const endMs = (row.awaited?.expiresMs ?? 0) + workerLifeMs;
  if (row.status === 'exchanging' && deps.clock.now() < endMs) return leave(deps, row, endMs);
  await failConnection(deps, row, row.status === 'awaited' ? 'link_expired' : 'provider_unavailable');
}

/** As it was found, for later. */
async function leave(deps: Deps, row: SyncRow, nextMs: number): Promise<void> {
  await conditionalWrite(deps.store.table, syncRows(deps.store).releasing(row, {}, nextMs));
}
