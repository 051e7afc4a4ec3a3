// Counts the users of a provider that were disconnected within an hour because of its reports. One
// row counts all of them and expires on its own.

import { writeConditionally } from '../../platform/conditional-write.ts';
import type { Environment } from '../../system/caller.ts';
import { keys } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';

const hourMs = 3_600_000;
const retentionSeconds = 86_400;

export const endedConsentRows = repository(({ table }) => ({
  /** Adds one to the count of this hour. Returns false when the maximum is already reached. */
  async countIfBelow(provider: string, env: Environment, nowMs: number, max: number): Promise<boolean> {
    if (max === 0) return false;
    const hour = Math.floor(nowMs / hourMs);
    const { applied } = await writeConditionally(table, {
      kind: 'update',
      key: keys.endedConsents(provider, env, hour),
      update: 'SET #count = if_not_exists(#count, :none) + :one, #ttl = :ttl',
      condition: 'attribute_not_exists(#count) OR #count < :max',
      values: { none: 0, one: 1, max, ttl: Math.ceil((hour * hourMs) / 1000) + retentionSeconds },
    });
    return applied;
  },
}));
