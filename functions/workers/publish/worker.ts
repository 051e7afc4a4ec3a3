import * as z from 'zod';
import type { Deps } from '../../../shared/domain/deps.ts';
import { publishEvents } from '../../../shared/domain/events/publish-events.ts';
import type { Item } from '../../../shared/engine/ports.ts';
import { Environment } from '../../../shared/model/account.ts';

const Written = z.object({ id: z.string(), account: z.string(), env: Environment });

export const publishWorker =
  (deps: Deps) =>
  async (items: Item[]): Promise<number[]> => {
    const events = items.map((item) => Written.parse(item));
    const failed = await publishEvents(
      deps,
      events.map(({ id }) => id),
      events,
    );
    return [...events.keys()].filter((index) => failed.has(events[index]?.id ?? ''));
  };
