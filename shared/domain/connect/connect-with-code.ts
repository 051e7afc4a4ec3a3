// Connects without a browser, for those who have a code already: the sandbox's own devices. From the code on it is the same way as everybody's.
import type { CloudProviderId } from '../../model/provider.ts';
import type { Deps } from '../deps.ts';
import { subjectOf } from '../users/subject.ts';
import { beginConnection } from './begin.ts';
import { completeConnection } from './complete.ts';

/** The device, also when it was connected before; undefined when the user is gone. */
export async function connectWithCode(
  deps: Deps,
  userId: string,
  provider: CloudProviderId,
  code: () => Promise<string>,
): Promise<string | undefined> {
  const subject = await subjectOf(deps, userId);
  if (!subject) return undefined;
  const { user, devices } = subject;
  const known = devices.find((each) => each.provider === provider && each.status === 'active');
  if (known) return known.id;
  const origin = deps.place.baseUrl ?? '';
  const { auth_url } = await beginConnection(deps, user, devices, {
    provider,
    redirectUrl: null,
    returnTo: null,
    origin,
  });
  const state = auth_url.slice(auth_url.lastIndexOf('/') + 1);
  const { problem, deviceId } = await completeConnection(deps, provider, { state, code: await code() });
  if (problem === 'unknown_link') return undefined;
  if (problem !== undefined || deviceId === undefined)
    throw new Error(`${provider} could not be connected: ${problem}`);
  return deviceId;
}
