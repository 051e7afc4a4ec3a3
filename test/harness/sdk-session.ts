// Stores a phone's session in the table, for tests that upload without HTTP.

import type { SdkProviderId } from '../../shared/catalog/provider.ts';
import { newSession } from '../../shared/mobile/open-session.ts';
import { type SdkSessionRow, sdkSessionRows } from '../../shared/mobile/sdk-session-rows.ts';
import type { Deps } from '../../shared/system/deps.ts';

/** The user's active session with a provider. Opens one if there is none. */
export async function openSdkSession(
  deps: Deps,
  user: { id: string; account: string; env: SdkSessionRow['env'] },
  provider: SdkProviderId,
): Promise<string> {
  const known = (await sdkSessionRows(deps.store).listByUser(user.id)).find((session) => session.provider === provider);
  if (known) return known.id;
  const endsMs = deps.clock.now() + 365 * 24 * 3_600_000;
  const row: SdkSessionRow = { ...newSession(deps, { ...user, sharingEpoch: 0 }), provider, status: 'active', endsMs };
  await deps.store.commit(sdkSessionRows(deps.store).buildInsert(row, undefined));
  return row.id;
}
