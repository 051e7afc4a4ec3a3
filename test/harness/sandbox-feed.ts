// A sandbox user's data, brought by hand: what feeds it, its vendors and ingest run one after the other until nothing is owed.

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

/** Until no connection has anything left to ask for. */
export async function syncAll(deps: Deps, user: string): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const before = await readStates(deps, user);
    for (const { device } of await connectionRows(deps.store).listByUser(user))
      await syncConnection(deps, user, device);
    await runWriter(deps, user);
    if ((await readStates(deps, user)) === before) return;
  }
  throw new Error(`the connections of ${user} never come to rest`);
}

const readStates = async (deps: Deps, user: string): Promise<string> =>
  JSON.stringify(await connectionRows(deps.store).listByUser(user));
