// What wakes an operator, one alarm for each thing to do. CloudWatch charges every metric that an alarm watches, so an
// alarm watches what all functions, queues or kinds of work have in common. The README says what to do about each.
import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { DeploymentOptions } from './deployment-options.ts';
import { addLogMetric, matchMessage, matchRepeatedMessage } from './log-metrics.ts';
import type { ProviderProblem } from './provider-problems.ts';

const period = Duration.minutes(5);
const longPeriod = Duration.minutes(15);
/** Messages in that time. */
const refusedMailThreshold = 50;

/** How Lambda itself logs a run that threw, took too long, or whose process died. */
const crashTerms = ['Invoke Error', 'Task timed out', 'Runtime exited', 'Status: error', 'Status: timeout'];

export class Alarms {
  readonly #scope: Construct;
  readonly #topic: ITopic | undefined;
  readonly #emulator: boolean;

  constructor(scope: Construct, { alarmTopicArn, emulator }: DeploymentOptions) {
    this.#scope = scope;
    this.#emulator = emulator;
    this.#topic = alarmTopicArn ? Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn) : undefined;
  }

  /** Also what any function of the API throws: the gateway answers 5xx for it. */
  onServerErrors(api: HttpApi): void {
    this.#alarmOnAny(
      'ApiServerErrors',
      api.metricServerError({ period, statistic: 'sum' }),
      'Requests were answered 5xx: callers see failures. The access log says on which route, the log of its function says why.',
    );
  }

  onDeadLetters(dead: Queue): void {
    this.#alarmOnAny(
      dead.node.id,
      dead.metricApproximateNumberOfMessagesVisible({ period, statistic: 'max' }),
      `A message was given up and waits in ${dead.node.id} for 14 days. It names the queue that it came from, and the log of that queue's function says why. The work stays due in the table, and the sweep asks for it again.`,
    );
  }

  /** Of functions that no caller waits for. */
  onCrashes(workers: readonly LambdaFunction[]): void {
    const pattern = FilterPattern.anyTerm(...crashTerms);
    const [crashes] = workers.map(({ logGroup }) => addLogMetric(logGroup, { name: 'WorkersCrashed', pattern }));
    if (!crashes) return;
    this.#alarmOnAny(
      'WorkersCrashed',
      crashes.with({ period, statistic: 'sum' }),
      'A worker threw, ran out of time or memory, or could not start. Its log has the reason, its description says what is late; the work is tried again.',
    );
  }

  /** The sweep finds what lost its wake-up or its worker: a backlog that grows old is not being worked off. */
  onOverdueWork(sweepLogs: ILogGroup): void {
    const pattern = matchMessage('sweep found overdue work');
    addLogMetric(sweepLogs, { name: 'Owed', pattern, value: '$.owed', dimension: 'kind' });
    const found = { name: 'OwedOldestSeconds', pattern, value: '$.oldest_seconds' };
    addLogMetric(sweepLogs, { ...found, dimension: 'kind' });
    this.#alarmAbove(
      'WorkOverdue',
      addLogMetric(sweepLogs, found).with({ period, statistic: 'max' }),
      15 * 60,
      'Work has been due for a quarter of an hour. The metrics OwedOldestSeconds and Owed say of which kind, how long and how much; look at the function of that kind.',
    );
  }

  /** It runs every minute, and every other warning about late work relies on it. */
  onSweep(sweep: LambdaFunction, whenItFails: string): void {
    this.#alarmOnAny(
      'SweepErrors',
      sweep.metricErrors({ period, statistic: 'sum' }),
      `The sweep fails: ${whenItFails}`,
    );
    this.#notify(
      new Alarm(this.#scope, 'SweepSilentAlarm', {
        metric: sweep.metricInvocations({ period, statistic: 'sum' }),
        alarmDescription: `The sweep has not run for ${period.toMinutes()} minutes: ${whenItFails}`,
        threshold: 1,
        evaluationPeriods: 1,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      }),
    );
  }

  onQuarantinedUploads(logs: ILogGroup): void {
    const metric = addLogMetric(logs, {
      name: 'UploadsSetAside',
      pattern: matchMessage('upload set aside: it cannot be processed'),
    });
    this.#alarmOnAny(
      'UploadsSetAside',
      metric.with({ period, statistic: 'sum' }),
      'An upload could not be processed and was set aside with its raw data. "daybook uploads list" says why, "uploads retry" tries it again.',
    );
  }

  /** What fails three times in a row is rarely over by itself; a message that is wrong by itself is its team's trouble, unless there are many. */
  onMailProblems(logs: ILogGroup): void {
    const pattern = FilterPattern.any(
      matchMessage('mail of this sender is refused; it is tried again hourly'),
      matchMessage('mail was given up'),
      matchRepeatedMessage('mail was not taken; it is tried again later', 3),
      FilterPattern.all(
        matchMessage('mail is throttled; it is tried again soon'),
        FilterPattern.numberValue('$.owed_seconds', '>=', longPeriod.toSeconds()),
      ),
    );
    this.#alarmOnAny(
      'MailNotSent',
      addLogMetric(logs, { name: 'MailNotSent', pattern }).with({ period, statistic: 'sum' }),
      'SES takes no mail of this sender, or has not taken some for a while. The log has the name of its error, the account and the invitation: look at the identity, the grant, the configuration set, the account and the quotas of SES. What is owed is tried for a day; what was given up is sent again by POST …/resend.',
    );
    this.#alarmAbove(
      'MailRefused',
      addLogMetric(logs, { name: 'MailRefused', pattern: matchMessage('mail refused') }).with({
        period: longPeriod,
        statistic: 'sum',
      }),
      refusedMailThreshold,
      'SES refuses many messages for what is in them. The log says of which accounts: SES suspends who sends to many addresses that do not exist.',
    );
  }

  onProviderProblem(
    { name, lines, minCount: atLeast, minPercent: percent, meaning: whatItMeans }: ProviderProblem,
    loggedBy: readonly LambdaFunction[],
  ): void {
    const countedMetrics = loggedBy.flatMap(({ logGroup }) =>
      Array.from(
        Map.groupBy(lines, ({ weight = 1 }) => weight),
        ([weight, sameWeight]) => {
          const pattern = FilterPattern.any(
            ...sameWeight.map(({ says: message, failures }) =>
              failures === undefined ? matchMessage(message) : matchRepeatedMessage(message, failures),
            ),
          );
          const filter = { name, pattern, value: `${weight}`, id: weight === 1 ? name : `${name}Times${weight}` };
          addLogMetric(logGroup, { ...filter, dimension: 'provider' });
          return addLogMetric(logGroup, filter);
        },
      ),
    );
    const [first] = loggedBy;
    const found = countedMetrics[0]?.with({ period: longPeriod, statistic: 'sum' });
    if (!first || !found) return;
    // The emulator knows no alarm on two metrics, and refuses the whole deployment over one.
    if (percent === undefined || this.#emulator) {
      this.#alarmAbove(name, found, atLeast, whatItMeans);
      return;
    }
    const share = new MathExpression({
      expression: `IF(found >= ${atLeast}, 100 * found / runs, 0)`,
      usingMetrics: { found, runs: first.metricInvocations({ period: longPeriod, statistic: 'sum' }) },
      label: `${name} in percent of the runs`,
      period: longPeriod,
    });
    this.#alarmAbove(name, share, percent, whatItMeans);
  }

  #alarmOnAny(id: string, metric: Metric, alarmDescription: string): void {
    this.#alarmAbove(id, metric, 1, alarmDescription);
  }

  #alarmAbove(id: string, metric: IMetric, threshold: number, alarmDescription: string): void {
    this.#notify(
      new Alarm(this.#scope, `${id}Alarm`, {
        metric,
        alarmDescription,
        threshold,
        evaluationPeriods: 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }),
    );
  }

  #notify(alarm: Alarm): void {
    if (this.#topic) alarm.addAlarmAction(new SnsAction(this.#topic));
  }
}
