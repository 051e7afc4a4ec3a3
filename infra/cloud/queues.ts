// Every queue with its dead-letter queue. That of an ordered queue must be ordered too.
import { Duration, Validations } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { isOrdered, type QueueName } from '../../shared/model/jobs.ts';
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
const propsOf = (name: string): QueueProps => (isOrdered(name) ? ordered : {});

function deadQueue(scope: Construct, owner: string): Queue {
  return new Queue(scope, `${pascal(owner)}Dead`, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    ...propsOf(owner),
  });
}

/** For what a stream or a rule could not hand over to its function. */
export function deadQueueOfFunction(scope: Construct, name: string): Queue {
  const dead = deadQueue(scope, `${name}-function`);
  Validations.of(dead).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SQS3',
    reason: 'It is itself the dead-letter queue of a function; the rule only knows those of other queues.',
  });
  return dead;
}

export function workQueues(
  scope: Construct,
  queues: Readonly<Partial<Record<QueueName, QueueSpec>>>,
  functions: Readonly<Record<string, FunctionSpec>>,
): ReadonlyMap<QueueName, WorkQueue> {
  return new Map(
    entriesOf(queues).map(([name, spec]) => {
      const dead = deadQueue(scope, name);
      const queue = new Queue(scope, `${pascal(name)}Queue`, {
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        visibilityTimeout: Duration.seconds(visibilitySeconds(name, readerOf(name, functions).timeoutSeconds)),
        deadLetterQueue: { queue: dead, maxReceiveCount: spec.maxReceives },
        ...propsOf(name),
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
