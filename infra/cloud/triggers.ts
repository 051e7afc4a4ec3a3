// The triggers of functions without HTTP routes: a queue (which the bus may also feed), the table's
// stream, or a schedule.
import { Duration } from 'aws-cdk-lib';
import { type EventBus, Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import {
  EventInvokeConfig,
  EventSourceMapping,
  FilterCriteria,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { eventSource } from '../../shared/events/event.ts';
import type { QueueName } from '../../shared/system/jobs.ts';
import type { Trigger } from '../function-spec.ts';
import { type DeploymentOptions, scaleConcurrency } from './deployment-options.ts';
import type { WorkQueue } from './queues.ts';

export interface TriggerSources {
  getQueue(name: QueueName): WorkQueue;
  streamArn: string;
  bus: EventBus;
}

/** Whether records that the trigger could not deliver go to the dead-letter queue. */
export const needsDeadLetterQueue = (trigger: Trigger): boolean => trigger.kind === 'stream';

export function connectTrigger(
  lambda: LambdaFunction,
  trigger: Trigger,
  sources: TriggerSources,
  options: DeploymentOptions,
  deadLetterQueue: Queue | undefined,
): void {
  switch (trigger.kind) {
    case 'http':
      return;
    case 'queue':
      if (trigger.busTypes) routeFromBus(lambda, trigger.busTypes, sources.bus, sources.getQueue(trigger.queue));
      new EventSourceMapping(lambda, 'FromQueue', {
        target: lambda,
        eventSourceArn: sources.getQueue(trigger.queue).queue.queueArn,
        batchSize: trigger.batchSize,
        reportBatchItemFailures: true,
        ...(trigger.maxConcurrency === undefined
          ? {}
          : { maxConcurrency: scaleConcurrency(trigger.maxConcurrency, options) }),
      });
      return;
    case 'stream':
      new EventSourceMapping(lambda, 'FromStream', {
        target: lambda,
        eventSourceArn: sources.streamArn,
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: trigger.batchSize,
        bisectBatchOnError: true,
        retryAttempts: 10,
        reportBatchItemFailures: true,
        ...(trigger.windowSeconds === undefined ? {} : { maxBatchingWindow: Duration.seconds(trigger.windowSeconds) }),
        filters: [FilterCriteria.filter(newImageFilter(trigger.attribute))],
        ...(deadLetterQueue ? { onFailure: { bind: () => ({ destination: deadLetterQueue.queueArn }) } } : {}),
      });
      return;
    case 'schedule': {
      const rule = new Rule(lambda, 'OnTime', { schedule: Schedule.rate(Duration.minutes(trigger.everyMinutes)) });
      // The next run makes up for a missed one.
      rule.addTarget(new LambdaTarget(lambda, { retryAttempts: 0 }));
      new EventInvokeConfig(lambda, 'AfterFailure', {
        function: lambda,
        retryAttempts: 0,
        maxEventAge: Duration.minutes(1),
      });
    }
  }
}

const newImageFilter = (attribute: string): Record<string, unknown> => ({
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: { NewImage: { [attribute]: { S: [{ exists: true }] } } },
});

/**
 * The message is the event's detail, as if it had been sent to the queue directly. Events that the
 * rule cannot deliver go to the dead-letter queue.
 */
function routeFromBus(
  scope: Construct,
  types: readonly string[],
  bus: EventBus,
  { queue, dead: deadLetterQueue }: WorkQueue,
): void {
  const rule = new Rule(scope, 'OnEvent', {
    eventBus: bus,
    eventPattern: { source: [eventSource], detailType: [...types] },
  });
  const message = RuleTargetInput.fromEventPath('$.detail');
  rule.addTarget(
    new SqsQueue(queue, {
      message,
      retryAttempts: 10,
      maxEventAge: Duration.hours(6),
      deadLetterQueue: deadLetterQueue,
    }),
  );
}
