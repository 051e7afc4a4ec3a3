import { onStream } from '../../../shared/runtime/on-stream.ts';
import { publishWorker } from './worker.ts';

export const handler = onStream(publishWorker);
