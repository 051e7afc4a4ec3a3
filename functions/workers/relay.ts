import { relayOutbox } from '../../shared/events/relay-outbox.ts';
import type { Item } from '../../shared/platform/ports.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { onStream } from '../runtime/on-stream.ts';

export const relayWorker =
  (deps: Deps) =>
  (items: Item[]): Promise<void> =>
    relayOutbox(deps, items);

export const handler = onStream(relayWorker);
