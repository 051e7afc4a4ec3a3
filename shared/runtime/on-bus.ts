// One event of the bus: parsed, and handled or thrown back for the bus to bring again.
import type { EventBridgeEvent } from 'aws-lambda';
import type { Deps } from '../domain/deps.ts';
import { PublishedEvent } from '../model/feed-event.ts';
import { type Handler, lambda } from './lambda.ts';

export type BusHandler = Handler<EventBridgeEvent<string, unknown>, void>;

export const onBus = (worker: (deps: Deps) => (event: PublishedEvent) => Promise<void>): BusHandler =>
  lambda((deps) => {
    const work = worker(deps);
    return async ({ detail }) => work(PublishedEvent.parse(detail));
  });
