// Whose data a read is about, and which of its devices count.

import type { SampleId } from '../../catalog/metrics.ts';
import { consolidationKey } from '../../consolidation/catalog.ts';
import { byPriority } from '../../consolidation/priority.ts';
import { isEnabled } from '../../consolidation/settings.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { UserId } from '../../system/ids.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import { ownSubject } from '../../users/own-subject.ts';
import { believed, devicesWithData, type Subject } from '../../users/subject.ts';
import { userNotFound } from '../../users/users.ts';

/** Reads the caller's own user together with something else of it: both go out at once, and the something is dropped when the user is not theirs. */
export async function ownSubjectAnd<T>(
  deps: Deps,
  caller: Caller,
  userId: string,
  read: () => Promise<T>,
): Promise<[Subject, T]> {
  if (!UserId.safeParse(userId).success) throw userNotFound(userId);
  return Promise.all([ownSubject(deps, caller, userId), read()]);
}

/** The connected devices from the most to the least believed for that metric. */
export const ranked = ({ devices }: Subject, metric: SampleId): DeviceRow[] => {
  const better = byPriority(metric);
  return devicesWithData(devices).sort((a, b) => better(believed(a), believed(b)));
};

/** Likewise, without those of providers that are switched off for it. */
export const rankedAndEnabled = (subject: Subject, metric: SampleId): DeviceRow[] =>
  ranked(subject, metric).filter(({ provider }) =>
    isEnabled(subject.state.settings, consolidationKey(metric), provider),
  );
