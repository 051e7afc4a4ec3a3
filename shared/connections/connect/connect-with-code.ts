// Connects without a browser, for those who have a code already: the sandbox's own devices. From the code on it is the same way as everybody's.
import type { CloudProviderId } from '../../catalog/provider.ts';
import type { Deps } from '../../system/deps.ts';
import { subjectOf } from '../../users/subject.ts';
import { beginConnection } from './begin.ts';
import { completeConnection } from './complete.ts';
import { bindState, challengeOf, newNonce } from './connect-state.ts';

/**
 * The device, also when it was connected before; undefined when the user is gone. `code` is handed
 * the PKCE challenge.
 */
export async function connectWithCode(
  deps: Deps,
  userId: string,
  provider: CloudProviderId,
  code: (challenge: string) => Promise<string>,
): Promise<string | undefined> {
  const subject = await subjectOf(deps, userId);
  if (!subject) return undefined;
  const { user, devices } = subject;
  const known = devices.find((each) => each.provider === provider && each.status === 'active');
  if (known) return known.id;
  const asked = { provider, redirectUrl: null, returnTo: null, keyHash: null, link: null };
  const begun = await beginConnection(deps, user, devices, { ...asked, origin: deps.place.baseUrl ?? '' });
  const browser = newNonce(deps);
  const query = { state: bindState(deps, begun.state, browser), code: await code(challengeOf(begun.verifier)) };
  const { problem, deviceId } = await completeConnection(deps, { provider, query, browser });
  if (problem === 'unknown_link') return undefined;
  if (problem !== undefined || deviceId === undefined)
    throw new Error(`${provider} could not be connected: ${problem}`);
  return deviceId;
}
