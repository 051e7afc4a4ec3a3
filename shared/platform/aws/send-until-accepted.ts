// Sends the entries of a batch until the service has accepted every one; SQS and EventBridge may
// both accept a batch in part.
import { EngineUnavailable } from '../ports.ts';
import { backoff } from './backoff.ts';

export interface RejectedEntry<T> {
  entry: T;
  reason: string;
  /** Sending the entry again would not help. */
  final: boolean;
}

const maxAttempts = 4;

export async function sendUntilAccepted<T>(
  what: string,
  entries: T[],
  backoffMs: number,
  send: (entries: T[]) => Promise<RejectedEntry<T>[]>,
): Promise<void> {
  let pending = entries;
  for (let failures = 1; ; failures++) {
    const rejected = await send(pending);
    const first = rejected.find(({ final }) => final) ?? rejected[0];
    if (first === undefined) return;
    if (first.final) throw new Error(`${what} permanently rejected an entry: ${first.reason}`);
    if (failures === maxAttempts) {
      throw new EngineUnavailable(`${what} rejected ${rejected.length} entries ${maxAttempts} times: ${first.reason}`);
    }
    pending = rejected.map(({ entry }) => entry);
    await backoff(backoffMs, failures);
  }
}
