// A wearable is connected at any moment of its sandbox user's first feed. Only messages wake
// workers: no sweep or schedule runs.
import { describe, expect, test } from 'vitest';
import { syncWorker } from '../../../functions/workers/sync.ts';
import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import { connectWithCode } from '../../../shared/connections/connect/connect-with-code.ts';
import { feedSandbox } from '../../../shared/sandbox/feed-sandbox.ts';
import { toSandboxAccount } from '../../../shared/sandbox/provider-server/account.ts';
import { openBuiltInProvider } from '../../../shared/sandbox/provider-server/open-built-in-provider.ts';
import { jobs } from '../../../shared/system/jobs.ts';
import { seedRows } from '../../../shared/users/seed-rows.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type DomainWorld, openDomainWorld } from '../../harness/domain-world.ts';
import { interleavedTable } from '../../harness/interleaved-table.ts';
import { runWriter } from '../../harness/run-writer.ts';

const connect = ({ deps }: DomainWorld, userId: string, provider: CloudProviderId) =>
  connectWithCode(deps, userId, provider, async (challenge) => {
    const account = toSandboxAccount({ userId, persona: 'average', timezone: null });
    return (await openBuiltInProvider(deps)).issueCode(provider, account, challenge);
  });

/** Each message is delivered once. */
async function deliverMessages({ deps, sent }: DomainWorld): Promise<void> {
  for (let next = sent.shift(); next; next = sent.shift())
    if (next.queue === 'seed') await feedSandbox(deps, jobs.seed.parse(next.body).user_id);
    else if (next.queue === 'connection') await syncWorker(deps)(jobs.connection.parse(next.body));
    else if (next.queue === 'user') await runWriter(deps, jobs.user.parse(next.body).user_id);
}

/** Returns undefined if the feed made fewer calls. */
async function connectBeforeCall(n: number, provider: CloudProviderId) {
  const world = await openDomainWorld();
  const { id: user } = await createUser(world.deps, { ...world.caller, env: 'sandbox' }, {});
  world.sent.length = 0;
  let device: string | undefined;
  const { table, hasRun } = interleavedTable(world.localTable.table, n, async () => {
    device = await connect(world, user, provider);
    await deliverMessages(world);
  });
  await feedSandbox(world.withTable(table), user);
  await deliverMessages(world);
  if (!hasRun()) return undefined;
  const devices = (await readUserContext(world.deps, user))?.devices ?? [];
  return {
    isPending: await seedRows(world.deps.store).isPending(user),
    hasData: devices.some(({ id, receivedMs }) => id === device && receivedMs > 0),
  };
}

/** Defines the tests, in which the wearable is connected before every n-th table call. */
export function connectWhileFed(everySo: number): void {
  describe.each(['garmin', 'whoop'] as const)('a %s that is connected at any moment of the first feed', (provider) => {
    test('has its data without waiting for a schedule', { timeout: 300_000 }, async () => {
      const late: object[] = [];
      let moments = 0;
      for (let n = 1; ; n += everySo) {
        const outcome = await connectBeforeCall(n, provider);
        if (outcome === undefined) break;
        moments++;
        if (outcome.isPending || !outcome.hasData) late.push({ n, ...outcome });
      }
      expect(late).toEqual([]);
      expect(moments).toBeGreaterThan(50 / everySo);
    });
  });
}
