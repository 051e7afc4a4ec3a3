// Reading and changing how a user's devices are consolidated. Settings and the rebuild they ask for are stored before the answer.

import { optimisticRetry } from '../platform/optimistic-retry.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { newId } from '../system/new-id.ts';
import { wake } from '../system/wake.ts';
import { commandRows } from '../users/command-rows.ts';
import { ownSubjectEvenUnshared } from '../users/own-subject.ts';
import { type StateRow, stateRows } from '../users/state-rows.ts';
import { connectedProviders, type Subject } from '../users/subject.ts';
import { userRows } from '../users/user-rows.ts';
import type { ConsolidationConfiguration, ConsolidationPatch, ConsolidationUpdate } from './consolidation.ts';
import { applyPatch, defaultSettings, effectiveConfiguration, sameSettings } from './settings.ts';

export async function getConfiguration(
  deps: Deps,
  caller: Caller,
  userId: string,
): Promise<ConsolidationConfiguration> {
  const { state, devices } = await consolidatedUser(deps, caller, userId);
  return effectiveConfiguration(state.settings, connectedProviders(devices));
}

export const patchConfiguration = (
  deps: Deps,
  caller: Caller,
  userId: string,
  patch: ConsolidationPatch,
): Promise<ConsolidationUpdate> =>
  change(deps, caller, userId, ({ state, devices }) => applyPatch(state.settings, patch, connectedProviders(devices)));

export const restoreDefaults = (deps: Deps, caller: Caller, userId: string): Promise<ConsolidationUpdate> =>
  change(deps, caller, userId, ({ state }) => ({
    settings: defaultSettings,
    changed: !sameSettings(state.settings, defaultSettings),
  }));

async function change(
  deps: Deps,
  caller: Caller,
  userId: string,
  next: (subject: Subject) => { settings: StateRow['settings']; changed: boolean },
): Promise<ConsolidationUpdate> {
  return optimisticRetry({ what: 'a configuration', retries: 10 }, async () => {
    const subject = await consolidatedUser(deps, caller, userId);
    const { settings, changed } = next(subject);
    const configuration = effectiveConfiguration(settings, connectedProviders(subject.devices));
    const { state } = subject;
    if (!changed) return { status: state.built < state.generation ? 'reconsolidating' : 'unchanged', configuration };
    await deps.store.commit([
      userRows(deps.store).stillThere(userId),
      stateRows(deps.store).changing(userId, state, settings),
      commandRows(deps.store).asking(userId, 'rebuild', newId(deps, 'ask'), deps.clock.now()),
    ]);
    await wake(deps, 'person', { user_id: userId });
    return { status: 'reconsolidating', configuration };
  });
}

/** The contract has a code of its own for a missing user on these calls. */
async function consolidatedUser(deps: Deps, caller: Caller, userId: string): Promise<Subject> {
  try {
    return await ownSubjectEvenUnshared(deps, caller, userId);
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') throw new Failure('user_not_found', error.message);
    throw error;
  }
}
