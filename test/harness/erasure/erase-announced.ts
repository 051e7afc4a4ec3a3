// The eraser, after the feed's writer has numbered what was announced of everybody: it waits for that.
import type { Deps } from '../../../shared/domain/deps.ts';
import { eraseUser } from '../../../shared/domain/erasure/erase-user.ts';
import { numberWaiting } from '../outbox.ts';

export async function eraseAnnounced(deps: Deps, userId: string): Promise<void> {
  await numberWaiting(deps);
  await eraseUser(deps, userId);
}
