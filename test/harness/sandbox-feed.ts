// Fetches a sandbox user's data without queues: runs the sandbox feed, the providers and ingest in
// turn until no work is pending.

import { connectionRows } from '../../shared/connections/connection-rows.ts';
import { syncConnection } from '../../shared/connections/sync/sync-connection.ts';
import { feedSandbox } from '../../shared/sandbox/feed-sandbox.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { runWriter } from './run-writer.ts';

const maxRounds = 20;

export async function feedAll(deps: Deps, user: string): Promise<void> {
  await feedSandbox(deps, user);
  await syncAll(deps, user);
}

/** Runs until no connection has anything left to fetch. */
export async function syncAll(deps: Deps, user: string): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const before = await readStates(deps, user);
    for (const { device } of await connectionRows(deps.store).listByUser(user))
      await syncConnection(deps, user, device);
    await runWriter(deps, user);
    if ((await readStates(deps, user)) === before) return;
  }
  throw new Error(`the connections of ${user} never become idle`);
}

const readStates = async (deps: Deps, user: string): Promise<string> =>
  JSON.stringify(await connectionRows(deps.store).listByUser(user));
