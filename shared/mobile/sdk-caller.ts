// A phone that calls with the credentials of one installation.
import type { MobileScope } from '../catalog/mobile-scopes.ts';
import type { SdkProviderId } from '../catalog/provider.ts';
import type { Caller } from '../system/caller.ts';

export interface SdkCaller extends Caller {
  kind: 'sdk_session';
  userId: string;
  sessionId: string;
  provider: SdkProviderId;
  scopes: readonly MobileScope[];
  /** The user's epoch when the session was opened: the session ends when the user stops sharing. */
  sharingEpoch: number;
}
