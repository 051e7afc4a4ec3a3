// All queues, and two dead-letter queues that they share: the dead-letter queue of a FIFO queue
// must be FIFO too. A dead letter carries the ARN of its source queue.
import { Duration } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { isFifoQueue, type QueueName } from '../../shared/system/jobs.ts';
import { type FunctionSpec, type QueueSpec, visibilitySeconds } from '../function-spec.ts';
import { toPascalCase, typedEntries } from './names.ts';

export interface WorkQueue {
  queue: Queue;
  dead: Queue;
}

/** High-throughput FIFO: limits apply per message group. CDK appends `.fifo` to generated names. */
const fifoProps: QueueProps = {
  fifo: true,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
};

export interface DeadLetterQueues {
  standard: Queue;
  /** Undefined if the function manifest has no FIFO queue. */
  ordered: Queue | undefined;
}

export function createDeadLetterQueues(
  scope: Construct,
  queues: Readonly<Partial<Record<QueueName, QueueSpec>>>,
): DeadLetterQueues {
  const queue = (id: string, props: QueueProps = {}) =>
    new Queue(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      ...props,
    });
  return {
    standard: queue('DeadLetters'),
    ordered: Object.keys(queues).some(isFifoQueue) ? queue('OrderedDeadLetters', fifoProps) : undefined,
  };
}

export function createWorkQueues(
  scope: Construct,
  queues: Readonly<Partial<Record<QueueName, QueueSpec>>>,
  functions: Readonly<Record<string, FunctionSpec>>,
  deadLetters: DeadLetterQueues,
): ReadonlyMap<QueueName, WorkQueue> {
  return new Map(
    typedEntries(queues).map(([name, spec]) => {
      const deadLetterQueue = (isFifoQueue(name) ? deadLetters.ordered : undefined) ?? deadLetters.standard;
      const queue = new Queue(scope, `${toPascalCase(name)}Queue`, {
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        visibilityTimeout: Duration.seconds(visibilitySeconds(name, findReader(name, functions).timeoutSeconds)),
        deadLetterQueue: { queue: deadLetterQueue, maxReceiveCount: spec.maxReceives },
        ...(isFifoQueue(name) ? fifoProps : {}),
      });
      return [name, { queue, dead: deadLetterQueue }];
    }),
  );
}

function findReader(queue: QueueName, functions: Readonly<Record<string, FunctionSpec>>): FunctionSpec {
  const readers = Object.values(functions).filter(({ trigger }) => trigger.kind === 'queue' && trigger.queue === queue);
  const [reader] = readers;
  if (!reader || readers.length > 1) {
    throw new Error(
      `The queue ${queue} needs exactly one function that reads it; the function manifest has ${readers.length}.`,
    );
  }
  return reader;
}
