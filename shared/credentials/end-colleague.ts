// Removes, demotes and resets colleagues together with what they made for users.

import type { ColleagueCaller } from '../console/admit-session.ts';
import type { Colleague, ColleaguePatch } from '../console/colleague.ts';
import {
  endColleagueAccess,
  getColleague,
  removeColleague,
  resetColleagueAccess,
  updateColleague,
} from '../console/colleagues.ts';
import type { IssuedSignInLink } from '../console/sign-in-link.ts';
import type { Deps } from '../system/deps.ts';
import { mayChange } from '../system/role-rights.ts';
import { type ActOrigin, endMadeCredentials } from './end-made-credentials.ts';
import { listSeenSecrets } from './list-made-credentials.ts';
import type { CredentialFate, MadeCredentialGroup, MadeCredentials } from './made-credentials.ts';

/**
 * The access ends first, so that nothing new is made, and the colleague goes last: what an
 * interruption leaves can be seen, and ends when the removal is repeated.
 */
export async function removeColleagueAndEndCredentials(
  deps: Deps,
  by: ActOrigin,
  id: string,
  fate: CredentialFate,
): Promise<MadeCredentials> {
  const { account } = by;
  const to_rotate = await listSeenSecrets(deps, account, id);
  if (fate === 'keep') {
    await removeColleague(deps, by, id);
    return { credentials: [], to_rotate };
  }
  await endColleagueAccess(deps, account, id, { isLeaving: true });
  const ended = await endEarlierEpochs(deps, by, id);
  await removeColleague(deps, by, id);
  // The colleague could have signed in once more in between.
  const maker = { account, colleague: id, epoch: Number.MAX_SAFE_INTEGER };
  return { credentials: [...ended, ...(await endMadeCredentials(deps, by, maker))], to_rotate };
}

export async function endAccessAndCredentials(
  deps: Deps,
  by: ActOrigin,
  id: string,
  fate: CredentialFate,
): Promise<MadeCredentials> {
  await endColleagueAccess(deps, by.account, id);
  const credentials = fate === 'keep' ? [] : await endEarlierEpochs(deps, by, id);
  return { credentials, to_rotate: await listSeenSecrets(deps, by.account, id) };
}

export async function resetAccessAndEndCredentials(
  deps: Deps,
  caller: ColleagueCaller,
  by: ActOrigin,
  id: string,
  { origin, fate }: { origin: string; fate: CredentialFate },
): Promise<IssuedSignInLink> {
  const link = await resetColleagueAccess(deps, caller, id, origin);
  if (fate === 'end') await endEarlierEpochs(deps, by, id);
  return link;
}

export async function updateColleagueAndEndCredentials(
  deps: Deps,
  caller: ColleagueCaller,
  by: ActOrigin,
  id: string,
  { patch, fate }: { patch: ColleaguePatch; fate: CredentialFate },
): Promise<Colleague> {
  const colleague = await updateColleague(deps, caller, id, patch);
  if (patch.role !== undefined && !mayChange(patch.role, 'credentials') && fate === 'end')
    await endEarlierEpochs(deps, by, id);
  return colleague;
}

/** What the colleague has made since their access or role changed stays. */
async function endEarlierEpochs(deps: Deps, by: ActOrigin, id: string): Promise<MadeCredentialGroup[]> {
  const { account } = by;
  const { makerEpoch } = await getColleague(deps, account, id);
  return endMadeCredentials(deps, by, { account, colleague: id, epoch: makerEpoch - 1 });
}
