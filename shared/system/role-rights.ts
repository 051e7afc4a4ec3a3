// What the roles of colleagues may see and change. API, console pages and documents read it here.
import type { ColleagueRole } from './caller.ts';

/**
 * What a response reveals. `nothing`: for endpoints without callers. `state`: whether data arrives,
 * and what keeps it from arriving. `values`: health values, profiles, tokens and secrets. `admin`:
 * API keys, colleagues and what they did.
 */
export type Revealed = 'nothing' | 'state' | 'values' | 'admin';

/**
 * What a request changes or hands out. `nothing`: it only computes or describes. `state`: users,
 * settings, and the end of a session, a passkey or a link; all of it can be made again. `data`: data
 * of people or deliveries, which stays erased. `credentials`: what lets somebody act for a user, and
 * where events are sent and with which secret. `access`: who may use the account: keys, colleagues
 * and new passkeys.
 */
export type Changed = 'nothing' | 'state' | 'data' | 'credentials' | 'access';

const revealedTo: Readonly<Record<ColleagueRole, readonly Revealed[]>> = {
  owner: ['nothing', 'state', 'values', 'admin'],
  developer: ['nothing', 'state', 'values'],
  support: ['nothing', 'state'],
};

const changedBy: Readonly<Record<ColleagueRole, readonly Changed[]>> = {
  owner: ['nothing', 'state', 'data', 'credentials', 'access'],
  developer: ['nothing', 'state', 'data', 'credentials'],
  support: ['nothing'],
};

export const maySee = (role: ColleagueRole, revealed: Revealed): boolean => revealedTo[role].includes(revealed);

export const mayChange = (role: ColleagueRole, changed: Changed): boolean => changedBy[role].includes(changed);

/**
 * Whether a colleague must have signed in recently: for what cannot be undone, hands out rights, or
 * decides where events are sent.
 */
export const needsRecentSignIn = (changed: Changed): boolean => changed !== 'nothing' && changed !== 'state';
