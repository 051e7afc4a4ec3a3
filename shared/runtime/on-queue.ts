// A batch of queue messages: each is parsed and handled on its own, and only the failed ones come again.
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Deps } from '../domain/deps.ts';
import { type Job, jobs, type QueueName } from '../model/jobs.ts';
import { type Handler, lambda } from './lambda.ts';

export type QueueHandler = Handler<SQSEvent, SQSBatchResponse>;

export const onQueue = <Name extends QueueName>(
  queue: Name,
  worker: (deps: Deps) => (job: Job<Name>) => Promise<void>,
): QueueHandler =>
  lambda((deps) => {
    const work = worker(deps);
    const start = async (body: string) => work(jobIn(queue, JSON.parse(body)));
    return async (event) => {
      // A message only wakes: several that say the same are one piece of work.
      const running = new Map<string, Promise<void>>();
      const once = (body: string): Promise<void> => {
        const started = running.get(body) ?? start(body);
        running.set(body, started);
        return started;
      };
      const outcomes = await Promise.allSettled(event.Records.map(({ body }) => once(body)));
      const batchItemFailures = outcomes.flatMap((outcome, index) => {
        const record = event.Records[index];
        if (outcome.status === 'fulfilled' || !record) return [];
        deps.log('error', 'a queue message failed', { queue, message_id: record.messageId, cause: outcome.reason });
        return [{ itemIdentifier: record.messageId }];
      });
      return { batchItemFailures };
    };
  });

/** Holds because each queue's schema stands under its name. */
const jobIn = <Name extends QueueName>(queue: Name, body: unknown): Job<Name> => jobs[queue].parse(body) as Job<Name>;
