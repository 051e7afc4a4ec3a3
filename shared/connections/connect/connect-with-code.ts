// Connects a device without a browser when a code is already available, as for the sandbox's own
// devices. From the code on, the flow is the usual one.
import type { CloudProviderId } from '../../catalog/provider.ts';
import type { Deps } from '../../system/deps.ts';
import { readUserContext } from '../../users/user-context.ts';
import { beginConnection } from './begin-connection.ts';
import { completeConnection } from './complete-connection.ts';
import { bindState, computeChallenge, newNonce } from './connect-state.ts';

/**
 * Returns the device, also when it was already connected, or undefined when the user is gone.
 * `code` receives the PKCE challenge.
 */
export async function connectWithCode(
  deps: Deps,
  userId: string,
  provider: CloudProviderId,
  code: (challenge: string) => Promise<string>,
  historyDays: number | null = null,
): Promise<string | undefined> {
  const userContext = await readUserContext(deps, userId);
  if (!userContext) return undefined;
  const { user, devices } = userContext;
  const existing = devices.find((each) => each.provider === provider && each.status === 'active');
  if (existing) return existing.id;
  const request = { provider, redirectUrl: null, returnTo: null, keyHash: null, maker: null, link: null, historyDays };
  const started = await beginConnection(deps, user, devices, { ...request, origin: deps.deployment.baseUrl ?? '' });
  const browser = newNonce(deps);
  const query = {
    state: bindState(deps, started.state, browser),
    code: await code(computeChallenge(started.verifier)),
  };
  const { problem, deviceId } = await completeConnection(deps, { provider, query, browser });
  if (problem === 'unknown_link') return undefined;
  if (problem !== undefined || deviceId === undefined)
    throw new Error(`${provider} could not be connected: ${problem}`);
  return deviceId;
}
