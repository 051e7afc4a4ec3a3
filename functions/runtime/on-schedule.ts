// Handles a schedule's tick, which has no input and no result.
import type { EventBridgeEvent } from 'aws-lambda';
import type { Deps } from '../../shared/system/deps.ts';
import { type Handler, lambda } from './lambda.ts';

export type ScheduleHandler = Handler<EventBridgeEvent<'Scheduled Event', unknown>, void>;

export const onSchedule = (worker: (deps: Deps) => () => Promise<void>): ScheduleHandler =>
  lambda((deps) => {
    const work = worker(deps);
    return async () => work();
  });
