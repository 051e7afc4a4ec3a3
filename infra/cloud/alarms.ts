// What wakes a person: a dead letter, a failing or silent function, an API that answers 5xx, an upload set aside, work owed for long, trouble with vendors, mail that nobody takes. Each alarm says what breaks.
import { Duration, Stack } from 'aws-cdk-lib';
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
import { FilterPattern, type IFilterPattern, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { DueKind } from '../../shared/store/due.ts';
import { pascal } from './names.ts';
import type { DeploymentOptions } from './options.ts';
import type { Trouble } from './vendor-troubles.ts';

const period = Duration.minutes(5);
const longPeriod = Duration.minutes(15);
/** Messages in that time. */
const manyRefused = 50;

/** A line of a log, by its words. */
const says = (message: string) => FilterPattern.stringValue('$.message', '=', message);

export class Alarms {
  readonly #scope: Construct;
  readonly #topic: ITopic | undefined;
  readonly #emulator: boolean;

  constructor(scope: Construct, { alarmTopicArn, emulator }: DeploymentOptions) {
    this.#scope = scope;
    this.#emulator = emulator;
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

  /** The function says so in its log. */
  onSetAside(logs: ILogGroup): void {
    const metric = this.#counted(logs, 'UploadsSetAside', says('upload set aside: it cannot be processed'), '1');
    this.#onAny(
      'UploadsSetAside',
      metric.with({ period, statistic: 'sum' }),
      'An upload could not be processed and was set aside with its raw data. "daybook uploads list" says why, "uploads retry" tries it again.',
    );
  }

  /** The function says so in its log. What fails three times in a row is rarely over by itself; a message that is wrong by itself is its team's trouble, unless there are many. */
  onMailTrouble(logs: ILogGroup): void {
    const pattern = FilterPattern.any(
      says('mail of this sender is refused; it is tried again hourly'),
      says('mail was given up'),
      FilterPattern.all(
        says('mail was not taken; it is tried again later'),
        FilterPattern.numberValue('$.failures', '>=', 3),
      ),
      FilterPattern.all(
        says('mail is throttled; it is tried again soon'),
        FilterPattern.numberValue('$.owed_seconds', '>=', longPeriod.toSeconds()),
      ),
    );
    this.#onAny(
      'MailNotSent',
      this.#counted(logs, 'MailNotSent', pattern, '1').with({ period, statistic: 'sum' }),
      'SES takes no mail of this sender, or has not taken some for a while. The log has the name of its error, the account and the invitation: look at the identity, the grant, the configuration set, the account and the quotas of SES. What is owed is tried for a day; what was given up is sent again by POST …/resend.',
    );
    this.#above(
      'MailRefused',
      this.#counted(logs, 'MailRefused', says('mail refused'), '1').with({ period: longPeriod, statistic: 'sum' }),
      manyRefused,
      'SES refuses many messages for what is in them. The log says of which accounts: SES suspends who sends to many addresses that do not exist.',
    );
  }

  /** What the sweep finds has lost its wake-up, or its worker; a backlog that grows older is not being worked off. Each kind has metrics of its own. */
  onBacklog(logs: ILogGroup, kinds: readonly DueKind[]): void {
    const found = says('sweep found overdue work');
    const dimensions = { kind: '$.kind' };
    this.#counted(logs, 'Owed', found, '$.owed', dimensions);
    const oldest = this.#counted(logs, 'OwedOldestSeconds', found, '$.oldest_seconds', dimensions);
    for (const kind of kinds)
      this.#above(
        `${pascal(kind)}OwedTooLong`,
        oldest.with({ period, statistic: 'max', dimensionsMap: { kind } }),
        15 * 60,
        `Work of the kind ${kind} has been owed for a quarter of an hour: the metric Owed says how much of it there is.`,
      );
  }

  /** Counted by provider for whoever looks, and over all of them for the alarm: one for each provider would cost ten times as much. */
  onTrouble(telling: LambdaFunction, { name, lines, atLeast, percent, whatItMeans }: Trouble): void {
    const pattern = FilterPattern.any(
      ...lines.map(({ says: words, failures }) =>
        failures === undefined
          ? says(words)
          : FilterPattern.all(says(words), FilterPattern.numberValue('$.failures', '>=', failures)),
      ),
    );
    this.#counted(telling.logGroup, name, pattern, '1', { provider: '$.provider' }, `${name}ByProvider`);
    const told = this.#counted(telling.logGroup, name, pattern, '1').with({ period: longPeriod, statistic: 'sum' });
    // The emulator knows no alarm on two metrics, and refuses the whole deployment over one.
    if (percent === undefined || this.#emulator) {
      this.#above(name, told, atLeast, whatItMeans);
      return;
    }
    const share = new MathExpression({
      expression: `IF(told >= ${atLeast}, 100 * told / runs, 0)`,
      usingMetrics: { told, runs: telling.metricInvocations({ period: longPeriod, statistic: 'sum' }) },
      label: `${name} in percent of the runs`,
      period: longPeriod,
    });
    this.#above(name, share, percent, whatItMeans);
  }

  #counted(
    logs: ILogGroup,
    name: string,
    filterPattern: IFilterPattern,
    value: string,
    dimensions: Record<string, string> = {},
    id = name,
  ): Metric {
    return logs
      .addMetricFilter(id, {
        filterPattern,
        metricNamespace: Stack.of(this.#scope).stackName,
        metricName: name,
        metricValue: value,
        ...(Object.keys(dimensions).length > 0 ? { dimensions } : {}),
      })
      .metric();
  }

  /** It is to run every minute, and whoever does not run tells nothing. */
  onSilence(scheduled: LambdaFunction, whenItFails: string): void {
    const alarm = new Alarm(this.#scope, `${scheduled.node.id}SilentAlarm`, {
      metric: scheduled.metricInvocations({ period, statistic: 'sum' }),
      alarmDescription: `It has not run for ${period.toMinutes()} minutes: ${whenItFails}`,
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
    });
    this.#tellOf(alarm);
  }

  onServerErrors(api: HttpApi): void {
    this.#onAny(
      'ApiServerErrors',
      api.metricServerError({ period, statistic: 'sum' }),
      'Requests were answered 5xx: callers see failures; the function logs say which.',
    );
  }

  #onAny(id: string, metric: Metric, alarmDescription: string): void {
    this.#above(id, metric, 1, alarmDescription);
  }

  #above(id: string, metric: IMetric, threshold: number, alarmDescription: string): void {
    const alarm = new Alarm(this.#scope, `${id}Alarm`, {
      metric,
      alarmDescription,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    this.#tellOf(alarm);
  }

  #tellOf(alarm: Alarm): void {
    if (this.#topic) alarm.addAlarmAction(new SnsAction(this.#topic));
  }
}
