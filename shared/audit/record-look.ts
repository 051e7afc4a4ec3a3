// Records that a colleague looked at a user: once per colleague, user and hour, before the response
// is sent. Without the entry there is no response, so no look is missing from the trail.
import { BoundedCache } from '../platform/bounded-cache.ts';
import type { Deps } from '../system/deps.ts';
import { auditRows } from './audit-rows.ts';
import { type Act, createEntry } from './record-act.ts';

const maxCachedLooks = 10_000;
const hourMs = 3_600_000;

/**
 * A repeat within the hour costs nothing in the process that recorded the look, and one rejected
 * transaction in any other.
 */
export function createLookRecorder(deps: Deps): (look: Omit<Act, 'action' | 'ids'>, user: string) => Promise<void> {
  const recordedHours = new BoundedCache<string, number>(maxCachedLooks);
  return async (look, user) => {
    if (look.actor.kind !== 'colleague') return;
    const { actor } = look;
    // Ids are unique among all accounts and environments.
    const cacheKey = `${actor.id} ${user}`;
    const hour = Math.floor(deps.clock.now() / hourMs);
    if (recordedHours.get(cacheKey) === hour) return;
    const entry = createEntry(deps, { ...look, action: 'user.looked_at', ids: [user] }, 'done');
    await auditRows(deps.store).insertLook(entry, { colleague: actor.id, user });
    recordedHours.set(cacheKey, hour);
  };
}
