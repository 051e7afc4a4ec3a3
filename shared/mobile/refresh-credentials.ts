// Refresh tokens rotate. A lost response does not log a phone out, but a token that is reused later
// ends the session, because someone else has it.

import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { readSdkToken, refreshTokenLifetimeMs } from './credentials.ts';
import type { SdkCredentials } from './sdk-session.ts';
import { sdkSessionRows } from './sdk-session-rows.ts';
import {
  buildCredentialsInEpoch,
  endSession,
  extendMadeCredential,
  invalidToken,
  requireActiveUser,
} from './sdk-sessions.ts';

const graceMs = 60 * 1000;

export async function refreshCredentials(deps: Deps, token: string): Promise<SdkCredentials> {
  const claims = readSdkToken(deps, 'refresh', token);
  if (typeof claims?.nonceOrSeq !== 'number') throw invalidToken();
  const now = deps.clock.now();
  if (claims.expiresMs <= now)
    throw new Failure('token_expired', 'The refresh token has expired. Open a new SDK session.');
  const { user, session, nonceOrSeq: seq } = claims;
  const { sharingEpoch } = await requireActiveUser(deps, user);

  const rotated = await sdkSessionRows(deps.store).rotate(user, session, seq, now, now + refreshTokenLifetimeMs);
  if ('row' in rotated) {
    await extendMadeCredential(deps, rotated.row);
    return buildCredentialsInEpoch(deps, sharingEpoch, rotated.row);
  }
  // A phone that was replaced by a recovery is rejected, without affecting the phone that has its
  // place now.
  if (!rotated.instead || rotated.instead.validFrom > seq) throw invalidToken();

  const successor = await sdkSessionRows(deps.store).consumeGrace(user, session, seq + 1, now - graceMs);
  if (successor) return buildCredentialsInEpoch(deps, sharingEpoch, successor);

  await endSession(deps, user, session);
  deps.log('warn', 'refresh_token_reused', { user_id: user, session_id: session });
  throw invalidToken();
}
