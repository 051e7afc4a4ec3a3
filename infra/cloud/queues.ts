// Every queue, and two dead-letter queues for all of them: that of an ordered queue must be ordered too. A dead letter
// carries the ARN of the queue that it comes from.
import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { isOrdered, type QueueName } from '../../shared/system/jobs.ts';
import { type FunctionSpec, type QueueSpec, visibilitySeconds } from '../function-spec.ts';
import { entriesOf, pascal } from './names.ts';

export interface WorkQueue {
  queue: Queue;
  dead: Queue;
}

/** High throughput: each group counts for itself. CDK ends a generated name with `.fifo`. */
const ordered: QueueProps = {
  fifo: true,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
};

export interface DeadLetters {
  standard: Queue;
  /** Undefined where no queue of the map is ordered. */
  ordered: Queue | undefined;
}

export function deadLetterQueues(
  scope: Construct,
  queues: Readonly<Partial<Record<QueueName, QueueSpec>>>,
): DeadLetters {
  const queue = (id: string, props: QueueProps = {}) =>
    new Queue(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      ...props,
    });
  return {
    standard: queue('DeadLetters'),
    ordered: Object.keys(queues).some(isOrdered) ? queue('OrderedDeadLetters', ordered) : undefined,
  };
}

export function workQueues(
  scope: Construct,
  queues: Readonly<Partial<Record<QueueName, QueueSpec>>>,
  functions: Readonly<Record<string, FunctionSpec>>,
  deadLetters: DeadLetters,
): ReadonlyMap<QueueName, WorkQueue> {
  return new Map(
    entriesOf(queues).map(([name, spec]) => {
      const dead = (isOrdered(name) ? deadLetters.ordered : undefined) ?? deadLetters.standard;
      const queue = new Queue(scope, `${pascal(name)}Queue`, {
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        visibilityTimeout: Duration.seconds(visibilitySeconds(name, readerOf(name, functions).timeoutSeconds)),
        deadLetterQueue: { queue: dead, maxReceiveCount: spec.maxReceives },
        ...(isOrdered(name) ? ordered : {}),
      });
      return [name, { queue, dead }];
    }),
  );
}

function readerOf(queue: QueueName, functions: Readonly<Record<string, FunctionSpec>>): FunctionSpec {
  const readers = Object.values(functions).filter(({ trigger }) => trigger.kind === 'queue' && trigger.queue === queue);
  const [reader] = readers;
  if (!reader || readers.length > 1) {
    throw new Error(`The queue ${queue} needs exactly one function that reads it; the map has ${readers.length}.`);
  }
  return reader;
}
