// What wakes a function that no request reaches: its queue, the table's stream, events of the bus, or the clock.
import { Duration } from 'aws-cdk-lib';
import { type EventBus, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import {
  EventInvokeConfig,
  EventSourceMapping,
  FilterCriteria,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { QueueName } from '../../shared/model/jobs.ts';
import { tableShape } from '../../shared/store/keys.ts';
import type { Trigger } from '../function-spec.ts';
import { ceilingInAccount, type DeploymentOptions } from './options.ts';

export interface Sources {
  queueArn(name: QueueName): string;
  streamArn: string;
  bus: EventBus;
}

/** Whether what the trigger could not hand over is kept in a dead-letter queue of the function's own. */
export const needsDeadQueue = (trigger: Trigger): boolean => trigger.kind === 'stream' || trigger.kind === 'bus';

export function connectTrigger(
  wakes: LambdaFunction,
  trigger: Trigger,
  sources: Sources,
  options: DeploymentOptions,
  dead: Queue | undefined,
): void {
  switch (trigger.kind) {
    case 'http':
      return;
    case 'queue':
      new EventSourceMapping(wakes, 'FromQueue', {
        target: wakes,
        eventSourceArn: sources.queueArn(trigger.queue),
        batchSize: trigger.batchSize,
        reportBatchItemFailures: true,
        ...(trigger.mostAtOnce === undefined ? {} : { maxConcurrency: ceilingInAccount(trigger.mostAtOnce, options) }),
      });
      return;
    case 'stream':
      new EventSourceMapping(wakes, 'FromStream', {
        target: wakes,
        eventSourceArn: sources.streamArn,
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: trigger.batchSize,
        bisectBatchOnError: true,
        retryAttempts: 10,
        reportBatchItemFailures: true,
        filters: [FilterCriteria.filter(imagesWith(trigger.skPrefixes, trigger.changes ?? ['INSERT', 'MODIFY']))],
        ...(dead ? { onFailure: { bind: () => ({ destination: dead.queueArn }) } } : {}),
      });
      return;
    case 'bus': {
      const rule = new Rule(wakes, 'OnEvent', {
        eventBus: sources.bus,
        eventPattern: {
          source: ['daybook'],
          ...(trigger.types.length > 0 ? { detailType: [...trigger.types] } : {}),
        },
      });
      rule.addTarget(
        new LambdaTarget(wakes, {
          retryAttempts: 10,
          maxEventAge: Duration.hours(6),
          ...(dead ? { deadLetterQueue: dead } : {}),
        }),
      );
      // The rule's own retries end when Lambda has taken the event; what the function then throws is Lambda's to retry and to keep.
      new EventInvokeConfig(wakes, 'AfterFailure', {
        function: wakes,
        retryAttempts: 2,
        ...(dead ? { onFailure: { bind: () => ({ destination: dead.queueArn }) } } : {}),
      });
      return;
    }
    case 'schedule': {
      const rule = new Rule(wakes, 'OnTime', { schedule: Schedule.rate(Duration.minutes(trigger.everyMinutes)) });
      // A missed turn is made up by the next one.
      rule.addTarget(new LambdaTarget(wakes, { retryAttempts: 0 }));
      new EventInvokeConfig(wakes, 'AfterFailure', {
        function: wakes,
        retryAttempts: 0,
        maxEventAge: Duration.minutes(1),
      });
    }
  }
}

const imagesWith = (skPrefixes: readonly string[], changes: readonly string[]): Record<string, unknown> => ({
  eventName: [...changes],
  dynamodb: { Keys: { [tableShape.sk]: { S: skPrefixes.map((prefix) => ({ prefix })) } } },
});
