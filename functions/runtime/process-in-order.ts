// Handles a batch of an ordered queue: messages of one group in sequence, groups concurrently.
import type { SQSRecord } from 'aws-lambda';
import { awaitAll } from '../../shared/platform/await-all.ts';
import { LostRace } from '../../shared/platform/lost-race.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { type FifoQueueName, getMessageGroupId } from '../../shared/system/jobs.ts';
import { runWithinBudget } from './run-budget.ts';

const minBackoffSeconds = 2;
const maxBackoffSeconds = 60;
/** Messages of other groups wait that long only behind a backlog. */
const longWaitMs = 60_000;

/** Returns the cause of each failure, by message id. */
export async function processInOrder(
  deps: Deps,
  queue: FifoQueueName,
  records: readonly SQSRecord[],
  start: (record: SQSRecord) => Promise<void>,
  /** Handles all messages of a group as one job. */
  startAll?: (group: readonly SQSRecord[]) => Promise<void>,
): Promise<Map<string, unknown>> {
  const { log, clock } = deps;
  logLongWait(deps, queue, records);
  const failures = new Map<string, unknown>();
  const done = new Set<string>();
  const slowGroups = new Set<readonly SQSRecord[]>();
  const groups = Map.groupBy(records, (record) => getMessageGroup(queue, record));
  const handleGroup = (group: readonly SQSRecord[]) =>
    startAll ? processTogether(group, startAll) : processGroup(group);
  await awaitAll(
    [...groups.values()].map((group) => (groups.size > 1 ? processWithinBudget(group) : handleGroup(group))),
  );
  return failures;

  /**
   * What is left of a slow group fails without a delay of its own: it is hidden until the visibility
   * timeout ends, when nothing of this run can still write.
   */
  async function processWithinBudget(group: readonly SQSRecord[]): Promise<void> {
    try {
      await runWithinBudget(clock, () => handleGroup(group));
    } catch (cause) {
      slowGroups.add(group);
      for (const { messageId } of group) if (!done.has(messageId)) failures.set(messageId, cause);
    }
  }

  /**
   * A group that fails as a whole is retried one message at a time, so that one bad message does
   * not fail the others.
   */
  async function processTogether(group: readonly SQSRecord[], processAll: NonNullable<typeof startAll>): Promise<void> {
    try {
      await processAll(group);
      for (const { messageId } of group) done.add(messageId);
    } catch (error) {
      log('warn', 'queue_message_group_failed', { queue, cause: error });
      await processGroup(group);
    }
  }

  async function processGroup(group: readonly SQSRecord[]): Promise<void> {
    for (const [index, record] of group.entries()) {
      if (slowGroups.has(group)) return;
      try {
        await start(record);
        done.add(record.messageId);
      } catch (cause) {
        if (slowGroups.has(group)) return;
        failures.set(record.messageId, cause);
        const later = group.slice(index + 1);
        const laterCause = cause instanceof LostRace ? cause : 'an earlier message in the group failed';
        for (const { messageId } of later) failures.set(messageId, laterCause);
        // SQS blocks a group while any of its messages is hidden, so the later messages get the
        // same delay.
        const seconds = backoffSeconds(deps, record);
        for (const each of [record, ...later]) await postpone(deps, queue, each, seconds);
        return;
      }
    }
  }
}

/**
 * SQS looks for groups only among the first 120,000 waiting messages, so a backlog of one group can
 * delay all others. Both times are the queue's, and a message counts when it is first received.
 */
function logLongWait({ log }: Deps, queue: FifoQueueName, records: readonly SQSRecord[]): void {
  const waitsMs = records
    .filter(({ attributes }) => attributes?.ApproximateReceiveCount === '1')
    .map(({ attributes }) => Number(attributes.ApproximateFirstReceiveTimestamp) - Number(attributes.SentTimestamp));
  const longestMs = Math.max(...waitsMs.filter((ms) => ms >= longWaitMs));
  if (Number.isFinite(longestMs))
    log('warn', 'message_waited_long', { queue, oldest_seconds: Math.round(longestMs / 1000) });
}

/** Without this, the whole group would wait until the visibility timeout ends. */
async function postpone({ queue: port, log }: Deps, queue: FifoQueueName, record: SQSRecord, seconds: number) {
  try {
    await port.postpone(queue, record.receiptHandle, seconds);
  } catch (error) {
    log('warn', 'message_not_postponed', { queue, message_id: record.messageId, cause: error });
  }
}

/**
 * 2, 4, 8 … 60 seconds, reduced by up to a quarter, so that groups that failed together do not
 * return together.
 */
function backoffSeconds({ random }: Deps, record: SQSRecord): number {
  const receives = Number(record.attributes?.ApproximateReceiveCount ?? 1);
  const ceilingSeconds = Math.min(maxBackoffSeconds, minBackoffSeconds * 2 ** (receives - 1));
  const [byte = 0] = random.bytes(1);
  return Math.round(ceilingSeconds * (1 - byte / 1024));
}

/**
 * Neither an engine that omits the attribute nor a body that holds no job fails the whole batch.
 */
function getMessageGroup(queue: FifoQueueName, { attributes, body, messageId }: SQSRecord): string {
  if (attributes?.MessageGroupId !== undefined) return attributes.MessageGroupId;
  try {
    return getMessageGroupId(queue, JSON.parse(body)) ?? messageId;
  } catch {
    return messageId;
  }
}
