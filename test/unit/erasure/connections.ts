// Deletes users at random moments of a callback and of a backfill, with lost messages: nothing of
// the user is left, and every consent is revoked at the provider.
import { expect, test } from 'vitest';
import { runWithDeadline } from '../../../functions/runtime/run-deadline.ts';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { syncWorker } from '../../../functions/workers/sync.ts';
import { beginConnection } from '../../../shared/connections/connect/begin-connection.ts';
import { syncConnection } from '../../../shared/connections/sync/sync-connection.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { jobs } from '../../../shared/system/jobs.ts';
import { wakeDue } from '../../../shared/system/wake-pending.ts';
import { getAuthorizedUserContext } from '../../../shared/users/authorized-user.ts';
import { completeCallback, noInitiator } from '../../harness/browser.ts';
import { collectIds, findLeftovers } from '../../harness/erasure/erasure-checks.ts';
import { isAnyCall, type PausedWorker, pauseBeforeCall, type Work } from '../../harness/erasure/paused-worker.ts';
import { faultSeeds, randomFrom } from '../../harness/faults.ts';
import { oneTo } from '../../harness/outbox.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { minutes, ouraNight, type SyncWorld, syncWorld } from '../../harness/sync-world.ts';

const origin = 'https://day.example';
const account = 'ann-at-the-provider';

interface Scenario {
  world: SyncWorld;
  user: string;
  work: Work;
}

const scenarios = {
  async callback(): Promise<Scenario> {
    const { world, user } = await createUser();
    const context = await getAuthorizedUserContext(world.deps, world.caller, user);
    const request = { provider: 'oura', redirectUrl: null, returnTo: null, origin, ...noInitiator } as const;
    const { auth_url } = (await beginConnection(world.deps, context.user, context.devices, request)).pending;
    const code = world.fakeProvider.code('oura', account, `${origin}/connect/callback/oura`);
    return { world, user, work: (deps) => completeCallback(deps, auth_url, { code }) };
  },
  async backfill(): Promise<Scenario> {
    const { world, user } = await createUser();
    const device = await world.connect(user, account);
    return { world, user, work: (deps) => syncConnection(deps, user, device) };
  },
};

async function createUser() {
  const world = syncWorld();
  const user = await world.user({ timezone: 'UTC', external_ref: 'who-it-is' });
  const nights = ['2026-03-12', '2026-02-20', '2025-11-05'].map((day) => ouraNight(`n-${day}`, day));
  world.fakeProvider.fixtures.write('oura', account, { sleep: nights });
  return { world, user };
}

/** The number of table calls at which the work can be interrupted. */
async function countCalls(createScenario: () => Promise<Scenario>): Promise<number> {
  const { world, work } = await createScenario();
  const worker = pauseBeforeCall(world, Number.POSITIVE_INFINITY, work, isAnyCall);
  await worker.resume();
  return worker.calls().length;
}

const orders = ['eraser first', 'worker first', 'both at once', 'worker between two calls of the eraser'] as const;

async function runInterrupted(
  { world, user }: Scenario,
  worker: PausedWorker,
  order: (typeof orders)[number],
  at: number,
) {
  const erase = (deps: Deps) => runWriter(deps, user);
  if (order === 'worker first') await worker.resume();
  if (order === 'both at once') {
    await Promise.all([runWithDeadline(world.clock, () => erase(world.deps)), worker.resume()]);
    return;
  }
  const eraser = pauseBeforeCall(world, order === 'eraser first' ? Number.POSITIVE_INFINITY : at, erase, isAnyCall);
  await eraser.stopped;
  await worker.resume();
  await eraser.resume();
}

/** Delivers messages as the queues do, until none is left. */
async function deliver({ deps, queued: messages, clock }: SyncWorld): Promise<void> {
  for (let next = messages.shift(); next; next = messages.shift()) {
    const { queue, body } = next;
    await runWithDeadline(clock, async () => {
      if (queue === 'connection') await syncWorker(deps)(jobs.connection.parse(body));
      if (queue === 'user') await runWriter(deps, jobs.user.parse(body).user_id);
    });
  }
}

/** A command stays for 90 seconds, and a lost message costs four minutes at most. */
const maxMinutes = 6;

async function passMinutes(world: SyncWorld): Promise<void> {
  for (let minute = 0; minute < maxMinutes; minute++) {
    world.clock.advance(minutes(1));
    await sweepWorker(world.deps)();
    await wakeDue(world.deps, 'sync');
    await deliver(world);
  }
}

/** The number of requests to this path of the provider. */
const countRequests = ({ fakeProvider }: SyncWorld, path: string): number =>
  fakeProvider.requests.filter((call) => call.path === path).length;

function problemsIn(world: SyncWorld, names: readonly string[]): string[] {
  const rows = world.table.rows();
  const revocations = rows.filter(({ pk }) => String(pk).startsWith('REVOKE#'));
  const hasAccount = rows.filter((row) => JSON.stringify(row).includes(account));
  const [grantedCount, revokedCount] = [countRequests(world, '/oauth/token'), countRequests(world, '/oauth/revoke')];
  return [
    ...findLeftovers(rows, names),
    ...revocations.map(({ pk }) => `${pk} is left`),
    ...hasAccount.map(({ pk, sk }) => `${pk} ${sk} contains the account`),
    ...(grantedCount === revokedCount ? [] : [`${grantedCount} consents were granted, ${revokedCount} were revoked`]),
  ];
}

/**
 * Defines the tests, with the given number of random deletions and with further ones before every
 * n-th call.
 */
export function deleteConnected(deletions: number, step: number): void {
  const callsBefore = (all: number) => {
    const last = Math.min(all, 40);
    return oneTo(last).filter((at) => (last - at) % step === 0);
  };

  test.each(['callback', 'backfill'] as const)(
    `${deletions} deletions at random moments of a %s, with lost messages, leave nothing, and every consent is revoked`,
    async (name) => {
      const createScenario = scenarios[name];
      const calls = await countCalls(createScenario);
      expect(calls).toBeGreaterThan(5);
      const problems: string[] = [];
      let revoked = 0;
      const seeds = faultSeeds(deletions);
      for (const seed of seeds) {
        const random = randomFrom(seed);
        const upTo = (max: number): number => 1 + Math.floor(random() * max);
        const order = orders[upTo(orders.length) - 1] ?? 'both at once';
        const started = await createScenario();
        const { world, user, work } = started;
        const at = upTo(calls);
        const worker = pauseBeforeCall(world, at, work, isAnyCall);
        await worker.stopped;
        await deleteUser(world.deps, world.caller, user);
        const names = collectIds(world.table.rows(), user);
        await runInterrupted(started, worker, order, upTo(12));
        const isLost = random() < 0.5;
        if (isLost) world.queued.length = 0;
        await deliver(world);
        await passMinutes(world);
        const found = problemsIn(world, names);
        problems.push(...found.map((each) => `seed ${seed}, before call ${at}, ${order}, lost ${isLost}: ${each}`));
        revoked += countRequests(world, '/oauth/revoke');
      }
      expect(problems).toEqual([]);
      // Most consents were granted by then.
      expect(revoked).toBeGreaterThan(seeds.length * 0.4);
    },
  );

  test.each(['callback', 'backfill'] as const)(
    'a worker of a %s that an eraser overtakes at any of its calls stops, and the consent is revoked without waiting',
    async (name) => {
      const createScenario = scenarios[name];
      const problems: string[] = [];
      for (const at of callsBefore(await countCalls(createScenario))) {
        const started = await createScenario();
        const { world, user, work } = started;
        const worker = pauseBeforeCall(world, at, work, isAnyCall);
        await worker.stopped;
        await deleteUser(world.deps, world.caller, user);
        await runInterrupted(started, worker, 'eraser first', 0);
        await deliver(world);
        const left = world.table.rows().filter(({ pk }) => String(pk).startsWith('REVOKE#'));
        const revokedCount = countRequests(world, '/oauth/revoke');
        if (left.length > 0 || revokedCount !== countRequests(world, '/oauth/token'))
          problems.push(`before call ${at}: ${left.length} rows are left, ${revokedCount} consents were revoked`);
      }
      expect(problems).toEqual([]);
    },
  );
}
