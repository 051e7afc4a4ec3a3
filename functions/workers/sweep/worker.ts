import { wakeRebuilds } from '../../../shared/domain/consolidation/rebuild.ts';
import type { Deps } from '../../../shared/domain/deps.ts';
import { wakeErasures } from '../../../shared/domain/erase-user.ts';
import { wakeIngests } from '../../../shared/domain/ingest/ingest-user.ts';
import { wakePublishing } from '../../../shared/domain/publish-events.ts';
import { wakeSeeds } from '../../../shared/domain/sandbox/feed.ts';
import { wakeScorings } from '../../../shared/domain/scores/ask.ts';
import { wakeOverdueDeliveries } from '../../../shared/domain/webhooks/fan-out.ts';

export const sweepWorker = (deps: Deps) => async (): Promise<void> => {
  await wakeErasures(deps);
  await wakeIngests(deps);
  await wakeRebuilds(deps);
  await wakePublishing(deps);
  await wakeScorings(deps);
  await wakeOverdueDeliveries(deps);
  await wakeSeeds(deps);
};
