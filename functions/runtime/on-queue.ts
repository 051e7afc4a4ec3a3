// A batch of queue messages: each is parsed and handled on its own, and only the failed ones come again.
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Deps } from '../../shared/system/deps.ts';
import { isOrdered, type Job, jobs, type QueueName } from '../../shared/system/jobs.ts';
import { type Handler, lambda } from './lambda.ts';
import { workInOrder } from './ordered-batch.ts';

/** Defined by the build where a function's queue is not ordered (`infra/build/bundle.ts`). */
declare const NO_ORDER: true | undefined;

export type QueueHandler = Handler<SQSEvent, SQSBatchResponse>;

/** `receives` counts how often the message was handed out: 1 the first time. */
export type QueueWorker<Name extends QueueName> = (job: Job<Name>, message: { receives: number }) => Promise<void>;

/** `merge`: several messages of a group of an ordered queue are worked on as one. */
export const onQueue = <Name extends QueueName>(
  queue: Name,
  worker: (deps: Deps) => QueueWorker<Name>,
  merge?: (jobs: Job<Name>[]) => Job<Name>,
): QueueHandler =>
  lambda((deps) => {
    const work = worker(deps);
    const receivesOf = ({ attributes }: SQSRecord): number => Number(attributes?.ApproximateReceiveCount ?? 1);
    const start = async (record: SQSRecord) =>
      work(jobIn(queue, JSON.parse(record.body)), { receives: receivesOf(record) });
    const startAll = merge
      ? async (group: readonly SQSRecord[]) =>
          work(merge(group.map(({ body }) => jobIn(queue, JSON.parse(body)))), {
            receives: Math.max(...group.map(receivesOf)),
          })
      : undefined;
    return async ({ Records }) => {
      const failed =
        typeof NO_ORDER === 'undefined' && isOrdered(queue)
          ? await workInOrder(deps, queue, Records, start, startAll)
          : await workSideBySide(Records, start);
      const batchItemFailures = Records.flatMap(({ messageId }) => {
        if (!failed.has(messageId)) return [];
        const cause = failed.get(messageId);
        deps.log('error', 'a queue message failed', { queue, message_id: messageId, cause });
        return [{ itemIdentifier: messageId }];
      });
      return { batchItemFailures };
    };
  });

/** A message only wakes: several that say the same are one piece of work. */
async function workSideBySide(
  records: readonly SQSRecord[],
  start: (record: SQSRecord) => Promise<void>,
): Promise<Map<string, unknown>> {
  const running = new Map<string, Promise<void>>();
  const once = (record: SQSRecord): Promise<void> => {
    const started = running.get(record.body) ?? start(record);
    running.set(record.body, started);
    return started;
  };
  const failed = new Map<string, unknown>();
  await Promise.all(
    records.map((record) =>
      once(record).catch((cause) => {
        failed.set(record.messageId, cause);
      }),
    ),
  );
  return failed;
}

/** Holds because each queue's schema stands under its name. */
const jobIn = <Name extends QueueName>(queue: Name, body: unknown): Job<Name> => jobs[queue].parse(body) as Job<Name>;
