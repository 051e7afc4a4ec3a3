// Whether a person shares their data with the team. Everything that shows data or takes it in asks
// here, or goes through those that do.
import { Failure } from '../system/failure.ts';
import type { UserRow } from './user-rows.ts';

type SharingState = Pick<UserRow, 'status' | 'sharingEpoch'>;

export const sharingRevoked = (): Failure =>
  new Failure('sharing_revoked', 'This person no longer shares data with you. Invite them again to read it.');

/** Throws while the person shares nothing. */
export function assertShared({ status }: Pick<UserRow, 'status'>): void {
  if (status === 'unshared') throw sharingRevoked();
}

/**
 * Whether what was handed out in that epoch is still good: it dies when the person stops sharing,
 * also for when they share again.
 */
export const isSharedSince = (user: SharingState, epoch: number): boolean =>
  user.status === 'active' && user.sharingEpoch === epoch;

/** Whoever stopped sharing may begin again, and nobody else for them. */
export const canReshare = ({ unshared }: UserRow, emailHash: string): boolean =>
  unshared === null || unshared.emailHash === emailHash;
