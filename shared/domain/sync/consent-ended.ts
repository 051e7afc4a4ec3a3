// The vendor says that a token is dead: it is believed when it has said so often enough, and not of very many people at once. Only then the device is disconnected; what it brought stays.
import { conditionalCommit } from '../../store/conditional-write.ts';
import { deviceRows } from '../../store/devices.ts';
import { endedConsentRows } from '../../store/ended-consents.ts';
import { type SyncRow, syncRows } from '../../store/syncs.ts';
import { userEvent } from '../events/new-event.ts';
import { LeaseLost } from './breaks.ts';
import { spread } from './sync-backoff.ts';
import { release, type SyncRun } from './sync-run.ts';

const minuteMs = 60_000;
const doubtMs = 60 * minuteMs;

export async function tokenRefused(run: SyncRun): Promise<void> {
  const { deps, adapter, row } = run;
  const { times, minutesApart } = adapter.descriptor.dead;
  const now = deps.clock.now();
  const apartMs = minutesApart * minuteMs;
  const before = (run.tokens.wereRenewed() ? null : row.dead) ?? { times: 0, lastMs: 0 };
  const counts = before.times === 0 || now - before.lastMs >= apartMs;
  const said = counts ? { times: before.times + 1, lastMs: now } : before;
  if ((said.times >= times || run.saidEnded) && (await isConfirmed(run)))
    return (await isOneOfFew(run)) ? end(run) : doubt(run, said);
  deps.log('warn', 'a vendor says that a token is dead; it is tried again before that is believed', {
    provider: row.provider,
    device_id: row.device,
    times: said.times,
  });
  const dead = said.times >= times ? { times: times - 1, lastMs: now } : said;
  const againMs = dead.lastMs + apartMs;
  await release(run, { nextMs: againMs, state: 'waiting', change: { dead, notBeforeMs: againMs } });
}

async function isConfirmed({ adapter, tokens, line }: SyncRun): Promise<boolean> {
  const { confirmDead } = adapter.grant;
  return confirmDead ? line.plainly(confirmDead(await tokens.holding())) : true;
}

const isOneOfFew = ({ deps, row, configured }: SyncRun): Promise<boolean> =>
  endedConsentRows(deps.store).count(row.provider, row.env, deps.clock.now(), configured.disconnectsPerHour);

/** The vendor may be wrong about all of them, or we are, and a consent that was let go comes back by the person only. */
async function doubt(run: SyncRun, dead: NonNullable<SyncRow['dead']>): Promise<void> {
  const { deps, row, configured } = run;
  deps.log('error', 'too many consents ended within an hour; the device stays connected and is asked again', {
    provider: row.provider,
    env: row.env,
    device_id: row.device,
    most: configured.disconnectsPerHour,
  });
  const againMs = deps.clock.now() + spread(doubtMs, deps.random.bytes(2));
  await release(run, { nextMs: againMs, state: 'waiting', change: { dead, notBeforeMs: againMs } });
}

/**
 * The device, the connection and the event in one transaction: whoever comes second finds no
 * connection, tells nobody, and lets go.
 */
async function end({ deps, row, user }: SyncRun): Promise<void> {
  const isEnded = await conditionalCommit(deps.store, [
    deviceRows(deps.store).disconnecting(row.user, row.device, 'consent_ended'),
    ...syncRows(deps.store).ending(row),
    userEvent(deps, 'device.disconnected', user, { deviceId: row.device }),
  ]);
  if (!isEnded) throw new LeaseLost();
  deps.log('warn', 'a consent has ended; the device is disconnected', {
    provider: row.provider,
    env: row.env,
    device_id: row.device,
  });
}
