// What wakes a person: a dead letter, a failing function, an API that answers 5xx. Each alarm says what breaks.
import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { DeploymentOptions } from './options.ts';

const period = Duration.minutes(5);

export class Alarms {
  readonly #scope: Construct;
  readonly #topic: ITopic | undefined;

  constructor(scope: Construct, { alarmTopicArn }: DeploymentOptions) {
    this.#scope = scope;
    this.#topic = alarmTopicArn ? Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn) : undefined;
  }

  onDeadLetters(dead: Queue, whenItFails: string): void {
    this.#onAny(
      `${dead.node.id}Letters`,
      dead.metricApproximateNumberOfMessagesVisible({ period, statistic: 'max' }),
      `A message was given up and waits in ${dead.node.id} to be looked at and sent again: ${whenItFails}`,
    );
  }

  onErrors(failing: LambdaFunction, whenItFails: string): void {
    this.#onAny(`${failing.node.id}Errors`, failing.metricErrors({ period, statistic: 'sum' }), whenItFails);
  }

  onServerErrors(api: HttpApi): void {
    this.#onAny(
      'ApiServerErrors',
      api.metricServerError({ period, statistic: 'sum' }),
      'Requests were answered 5xx: callers see failures; the function logs say which.',
    );
  }

  #onAny(id: string, metric: Metric, alarmDescription: string): void {
    const alarm = new Alarm(this.#scope, `${id}Alarm`, {
      metric,
      alarmDescription,
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (this.#topic) alarm.addAlarmAction(new SnsAction(this.#topic));
  }
}
