import { onBus } from '../../../shared/runtime/on-bus.ts';
import { fanOutWorker } from './worker.ts';

export const handler = onBus(fanOutWorker);
