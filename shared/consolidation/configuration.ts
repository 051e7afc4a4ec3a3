// Reads and changes a user's consolidation settings. The settings and the rebuild they require are
// committed before the response is sent.

import { optimisticRetry } from '../platform/optimistic-retry.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { newId } from '../system/new-id.ts';
import { getAuthorizedUserContextIncludingUnshared } from '../users/authorized-user.ts';
import { commandRows } from '../users/command-rows.ts';
import { type StateRow, stateRows } from '../users/state-rows.ts';
import { connectedProviders, type UserContext } from '../users/user-context.ts';
import { userRows } from '../users/user-rows.ts';
import { wakeUser } from '../users/wake-user.ts';
import type { ConsolidationConfiguration, ConsolidationPatch, ConsolidationUpdate } from './consolidation.ts';
import { applyPatch, areSettingsEqual, defaultSettings, effectiveConfiguration } from './settings.ts';

export async function getConfiguration(
  deps: Deps,
  caller: Caller,
  userId: string,
): Promise<ConsolidationConfiguration> {
  const { state, devices } = await getUserContext(deps, caller, userId);
  return effectiveConfiguration(state.settings, connectedProviders(devices));
}

export const patchConfiguration = (
  deps: Deps,
  caller: Caller,
  userId: string,
  patch: ConsolidationPatch,
): Promise<ConsolidationUpdate> =>
  changeConfiguration(deps, caller, userId, ({ state, devices }) =>
    applyPatch(state.settings, patch, connectedProviders(devices)),
  );

export const restoreDefaults = (deps: Deps, caller: Caller, userId: string): Promise<ConsolidationUpdate> =>
  changeConfiguration(deps, caller, userId, ({ state }) => ({
    settings: defaultSettings,
    changed: !areSettingsEqual(state.settings, defaultSettings),
  }));

async function changeConfiguration(
  deps: Deps,
  caller: Caller,
  userId: string,
  computeNext: (userContext: UserContext) => { settings: StateRow['settings']; changed: boolean },
): Promise<ConsolidationUpdate> {
  return optimisticRetry({ what: 'a configuration', retries: 10 }, async () => {
    const userContext = await getUserContext(deps, caller, userId);
    const { settings, changed } = computeNext(userContext);
    const configuration = effectiveConfiguration(settings, connectedProviders(userContext.devices));
    const { state } = userContext;
    if (!changed)
      return { status: state.builtGeneration < state.generation ? 'reconsolidating' : 'unchanged', configuration };
    await deps.store.commit([
      userRows(deps.store).buildNotDeletingCheck(userId),
      stateRows(deps.store).buildUpdate(userId, state, settings),
      commandRows(deps.store).buildRequest(userId, 'rebuild', newId(deps, 'command'), deps.clock.now()),
    ]);
    await wakeUser(deps, userId);
    return { status: 'reconsolidating', configuration };
  });
}

const getUserContext = (deps: Deps, caller: Caller, userId: string): Promise<UserContext> =>
  renameMissingUser(() => getAuthorizedUserContextIncludingUnshared(deps, caller, userId));

/** The contract defines a separate error code for a missing user on these endpoints. */
export async function renameMissingUser<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') throw new Failure('user_not_found', error.message);
    throw error;
  }
}
