import { announceExpiringKeys } from '../../shared/accounts/announce-expiring-keys.ts';
import { selectOutboxRows } from '../../shared/events/select-outbox-rows.ts';
import { storeHourlyCounts } from '../../shared/overview/store-hourly-counts.ts';
import { rescoreUsers } from '../../shared/pipeline/scoring/rescore-users.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { sweepPending } from '../../shared/system/sweep.ts';
import { eraseWebhooks } from '../../shared/webhooks/erase-webhooks.ts';
import { onSchedule } from '../runtime/on-schedule.ts';

export const sweepWorker = (deps: Deps) => (): Promise<void> =>
  sweepPending(
    deps,
    {
      rescoring: rescoreUsers,
      'expiring keys': announceExpiringKeys,
      'deleted webhooks': eraseWebhooks,
      'hourly counts': storeHourlyCounts,
    },
    { feed: selectOutboxRows },
  );

export const handler = onSchedule(sweepWorker);
