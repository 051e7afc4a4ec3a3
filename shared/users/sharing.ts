// Whether a user shares data with the team. Everything that returns or accepts data checks it here,
// directly or indirectly.
import { Failure } from '../system/failure.ts';
import type { UserRow } from './user-rows.ts';

type SharingState = Pick<UserRow, 'status' | 'sharingEpoch'>;

export const sharingRevoked = (): Failure =>
  new Failure('sharing_revoked', 'This user no longer shares data with you. Invite them again to read it.');

/** Throws while the user shares no data. */
export function assertShared({ status }: Pick<UserRow, 'status'>): void {
  if (status === 'unshared') throw sharingRevoked();
}

/**
 * Whether what was issued in that epoch is still valid: it becomes invalid when the user stops
 * sharing, and stays invalid when they share again.
 */
export const isSharedSince = (user: SharingState, epoch: number): boolean =>
  user.status === 'active' && user.sharingEpoch === epoch;

/** A user who stopped sharing may share again; no one else may do so for them. */
export const canReshare = ({ unshared }: UserRow, emailHash: string): boolean =>
  unshared === null || unshared.emailHash === emailHash;
