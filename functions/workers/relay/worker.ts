import type { Deps } from '../../../shared/domain/deps.ts';
import { relay } from '../../../shared/domain/events/relay.ts';
import type { Item } from '../../../shared/engine/ports.ts';

export const relayWorker =
  (deps: Deps) =>
  (items: Item[]): Promise<void> =>
    relay(deps, items);
