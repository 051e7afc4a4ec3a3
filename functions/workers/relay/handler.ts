import { onStream } from '../../runtime/on-stream.ts';
import { relayWorker } from './worker.ts';

export const handler = onStream(relayWorker);
