// Handles a batch of queue messages: each is parsed and handled on its own, and only the failed
// ones are redelivered.
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { awaitAll } from '../../shared/platform/await-all.ts';
import { LostRace } from '../../shared/platform/lost-race.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { isFifoQueue, type Job, jobs, type QueueName } from '../../shared/system/jobs.ts';
import { type Handler, lambda } from './lambda.ts';
import { processInOrder } from './process-in-order.ts';
import { runWithinBudget } from './run-budget.ts';

/** Defined by the build if the function's queue is not ordered (`infra/build/bundle.ts`). */
declare const NO_ORDER: true | undefined;

export type QueueHandler = Handler<SQSEvent, SQSBatchResponse>;

/** `receives` counts how often the message has been received: 1 the first time. */
export type QueueWorker<Name extends QueueName> = (job: Job<Name>, message: { receives: number }) => Promise<void>;

/** `merge` combines several messages of one group of an ordered queue into one job. */
export const onQueue = <Name extends QueueName>(
  queue: Name,
  worker: (deps: Deps) => QueueWorker<Name>,
  merge?: (jobs: Job<Name>[]) => Job<Name>,
): QueueHandler =>
  lambda((deps) => {
    const work = worker(deps);
    const getReceiveCount = ({ attributes }: SQSRecord): number => Number(attributes?.ApproximateReceiveCount ?? 1);
    const start = async (record: SQSRecord) =>
      work(parseJob(queue, JSON.parse(record.body)), { receives: getReceiveCount(record) });
    const startAll = merge
      ? async (group: readonly SQSRecord[]) =>
          work(merge(group.map(({ body }) => parseJob(queue, JSON.parse(body)))), {
            receives: Math.max(...group.map(getReceiveCount)),
          })
      : undefined;
    return async ({ Records }) => {
      const failures =
        typeof NO_ORDER === 'undefined' && isFifoQueue(queue)
          ? await processInOrder(deps, queue, Records, start, startAll)
          : await processConcurrently(deps, Records, start);
      const batchItemFailures = Records.flatMap(({ messageId }) => {
        if (!failures.has(messageId)) return [];
        const cause = failures.get(messageId);
        if (cause instanceof LostRace) deps.log('info', 'queue_message_lost_race', { queue, message_id: messageId });
        else deps.log('error', 'queue_message_failed', { queue, message_id: messageId, cause });
        return [{ itemIdentifier: messageId }];
      });
      return { batchItemFailures };
    };
  });

/** A message is only a wake-up, so messages with the same body are handled once. */
async function processConcurrently(
  { clock }: Deps,
  records: readonly SQSRecord[],
  start: (record: SQSRecord) => Promise<void>,
): Promise<Map<string, unknown>> {
  const runs = new Map<string, Promise<void>>();
  const isShared = new Set(records.map(({ body }) => body)).size > 1;
  const begin = (record: SQSRecord) => (isShared ? runWithinBudget(clock, () => start(record)) : start(record));
  const startOnce = (record: SQSRecord): Promise<void> => {
    const run = runs.get(record.body) ?? begin(record);
    runs.set(record.body, run);
    return run;
  };
  const failures = new Map<string, unknown>();
  await awaitAll(
    records.map((record) =>
      startOnce(record).catch((cause) => {
        failures.set(record.messageId, cause);
      }),
    ),
  );
  return failures;
}

/** The cast is safe because each queue's schema is stored under the queue's name. */
const parseJob = <Name extends QueueName>(queue: Name, body: unknown): Job<Name> =>
  jobs[queue].parse(body) as Job<Name>;
