// The alarms, one for each thing an operator has to do. CloudWatch charges for every metric that an
// alarm watches, so each alarm watches what all functions, queues or kinds of work have in common.
// The README says how to respond to each.
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
import { FilterPattern, type ILogGroup, type JsonPattern } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { LogCode } from '../../shared/platform/log-codes.ts';
import type { DeploymentOptions } from './deployment-options.ts';
import { addLogMetric, matchCode, matchRepeatedCode } from './log-metrics.ts';
import type { ProviderProblem } from './provider-problems.ts';

const period = Duration.minutes(5);
const longPeriod = Duration.minutes(15);
/** Messages within `longPeriod`. */
const refusedMailThreshold = 50;
const consoleWarningThreshold = 20;

export interface ConsoleWarning {
  code: LogCode;
  /** One line is enough for the alarm. */
  isUrgent: boolean;
  loggedBy: readonly LambdaFunction[];
}

const userDataFailing = 'UserDataFailing';
/** An endpoint that responds is level again by then. */
const lateWebhookSeconds = 3 * 3600;

/** The lag of every endpoint that catches up; a long one counts as overdue work. */
function addLateWebhooks(logs: ILogGroup, ageName: string): void {
  const value = '$.oldest_seconds';
  addLogMetric(logs, { name: 'WebhookLagSeconds', pattern: matchCode('webhook_behind'), value });
  const isLate = FilterPattern.numberValue(value, '>=', lateWebhookSeconds);
  addLogMetric(logs, { name: ageName, pattern: FilterPattern.all(matchCode('webhook_behind'), isLate), value });
}

/** How long messages waited in their queue; a long wait counts as overdue work. */
function addQueueWait(logs: ILogGroup, ageName: string): void {
  const wait = { pattern: matchCode('message_waited_long'), value: '$.oldest_seconds' };
  addLogMetric(logs, { ...wait, name: 'QueueWaitSeconds', dimension: 'queue' });
  addLogMetric(logs, { ...wait, name: ageName, id: `${ageName}OfQueue` });
}

/**
 * SQS looks for groups only among the first 120,000 waiting messages of a FIFO queue, and at the
 * highest request rate of one caller the rest would be full in a quarter of an hour. As many wait
 * for a few seconds at most when a million people sync.
 */
const deepQueueMessages = 20_000;

export const measureDepth = (queue: Queue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'max' });

/** A sign-in link that was not sent, for a reason. */
const matchGivenUpLink = (reason: string): JsonPattern =>
  FilterPattern.all(matchCode('sign_in_mail_given_up'), FilterPattern.stringValue('$.reason', '=', reason));

/** How Lambda itself logs an invocation that threw, timed out, or whose process died. */
const crashTerms = ['Invoke Error', 'Task timed out', 'Runtime exited', 'Status: error', 'Status: timeout'];
const quotedCrashTerms = crashTerms.map((term) => `"${term}"`).join(', ');

export class Alarms {
  readonly #scope: Construct;
  readonly #topic: ITopic | undefined;
  readonly #emulator: boolean;

  constructor(scope: Construct, { alarmTopicArn, emulator }: DeploymentOptions) {
    this.#scope = scope;
    this.#emulator = emulator;
    this.#topic = alarmTopicArn ? Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn) : undefined;
  }

  /** Includes errors thrown by any API function, because the gateway responds to them with 5xx. */
  onServerErrors(api: HttpApi): void {
    this.#alarmOnAny(
      'ApiServerErrors',
      api.metricServerError({ period, statistic: 'sum' }),
      'Requests failed with a 5xx status: callers see errors. The access log shows the route, and the log of its function shows the reason.',
    );
  }

  onDeadLetters(dead: Queue): void {
    this.#alarmOnAny(
      dead.node.id,
      measureDepth(dead),
      `A message was given up after its last attempt and stays in ${dead.node.id} for 14 days. It names the queue it came from, and the log of that queue's function shows the reason. The work stays pending in the table, and the sweep retries it.`,
    );
  }

  /** The depth of the deepest. A work queue is bounded by groups, so one that fills up has a cause. */
  onDeepQueues(depths: Readonly<Record<string, Metric>>): void {
    const [first] = Object.values(depths);
    if (!first) return;
    // The emulator does not support alarms on several metrics.
    const deepest = this.#emulator
      ? first
      : new MathExpression({ expression: 'MAX(FILL(METRICS(), 0))', usingMetrics: { ...depths }, period });
    this.#alarmAbove(
      'QueueDeep',
      deepest,
      deepQueueMessages,
      `${deepQueueMessages} messages wait in a FIFO queue (${Object.keys(depths).join(', ')}). From 120,000 on, groups behind them wait as well. The metric ApproximateNumberOfMessagesVisible shows the queue, and the log of its function what fails. If one group fills it, you can purge it: messages only wake workers, and the sweep and poll send what is still pending again.`,
    );
  }

  /** For functions that no caller waits for. */
  onCrashes(workers: readonly LambdaFunction[]): void {
    const pattern = FilterPattern.anyTerm(...crashTerms);
    const [crashes] = workers.map(({ logGroup }) => addLogMetric(logGroup, { name: 'WorkersCrashed', pattern }));
    if (!crashes) return;
    this.#alarmOnAny(
      'WorkersCrashed',
      crashes.with({ period, statistic: 'sum' }),
      `A worker threw, ran out of time or memory, or could not start. Search the logs of the workers for ${quotedCrashTerms} to find the reason. The description of the function says what is late; while the sweep fails, nothing finds lost messages. The work is retried.`,
    );
  }

  /**
   * The sweep finds work whose wake-up message or worker was lost. A backlog that keeps getting
   * older is not being processed.
   */
  onOverdueWork(sweepLogs: ILogGroup, deliverLogs: ILogGroup | undefined, orderedLogs: readonly ILogGroup[]): void {
    const pattern = matchCode('overdue_work_found');
    addLogMetric(sweepLogs, { name: 'PendingWork', pattern, value: '$.pending', dimension: 'kind' });
    const ageMetric = { name: 'PendingOldestSeconds', pattern, value: '$.oldest_seconds' };
    addLogMetric(sweepLogs, { ...ageMetric, dimension: 'kind' });
    if (deliverLogs) addLateWebhooks(deliverLogs, ageMetric.name);
    for (const logs of orderedLogs) addQueueWait(logs, ageMetric.name);
    this.#alarmAbove(
      'WorkOverdue',
      addLogMetric(sweepLogs, ageMetric).with({ period, statistic: 'max' }),
      15 * 60,
      'Work has been due for 15 minutes. The metrics PendingOldestSeconds and PendingWork show its kind, age and amount; check the function for that kind. An amount of 10,000 means at least 10,000: look at the age. An endpoint that responds but is still more than three hours behind counts too: webhook_behind in the log of deliver names it, and WebhookLagSeconds is its lag. So does a message that waited in a queue for 15 minutes: QueueWaitSeconds shows the queue.',
    );
  }

  /**
   * The sweep runs every minute, and every other alarm about late work relies on it. A run that
   * fails counts as a crashed worker.
   */
  onSweep(sweep: LambdaFunction, whenItFails: string): void {
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

  /**
   * What fails again and again is quarantined or postponed, so it is never overdue: only these lines
   * tell of it.
   */
  onFailingUserData(logs: ILogGroup): void {
    const codes = ['upload_quarantined', 'command_failing', 'scoring_failed', 'commands_unreadable'] as const;
    const metric = { name: userDataFailing, pattern: FilterPattern.any(...codes.map(matchCode)) };
    addLogMetric(logs, { ...metric, dimension: 'message' });
    this.#alarmOnAny(
      metric.name,
      addLogMetric(logs, metric).with({ period, statistic: 'sum' }),
      'The data of a user cannot be processed. The metric by message shows what: an upload was quarantined with its raw data (upload_quarantined: "npm run -s daybook -- uploads list" shows the reason, and "npm run -s daybook -- uploads retry" retries it), another command keeps failing (command_failing), scores cannot be computed (scoring_failed), a stored command, a webhook or an event cannot be parsed (commands_unreadable, webhook_row_unreadable, outbox_row_unreadable, feed_page_unreadable), events cannot be numbered (feed_held), or workers crash on what a provider answers (sync_crashing). The log names the user or the row and the cause. All are retried, except rows that cannot be parsed.',
    );
  }

  /** The rest of the connection goes on, so nothing else tells of what crashed its workers. */
  onCrashingSyncs(logs: ILogGroup): void {
    const metric = { name: userDataFailing, pattern: matchCode('sync_crashing') };
    addLogMetric(logs, { ...metric, dimension: 'message' });
    addLogMetric(logs, metric);
  }

  /** Only these lines tell of a row that was skipped so that the others go on. */
  onUnreadableRows(logs: ILogGroup): void {
    const codes = ['webhook_row_unreadable', 'outbox_row_unreadable', 'feed_page_unreadable'] as const;
    // A feed that is held only for a moment needs nobody.
    const pattern = FilterPattern.any(...codes.map(matchCode), matchRepeatedCode('feed_held', 3));
    const metric = { name: userDataFailing, pattern };
    addLogMetric(logs, { ...metric, dimension: 'message' });
    addLogMetric(logs, metric);
  }

  /**
   * A send that fails three times in a row rarely recovers on its own. A single rejected message is
   * for the team to fix, unless there are many.
   */
  onMailProblems(logs: ILogGroup): void {
    const pattern = FilterPattern.any(
      matchCode('mail_sender_refused'),
      matchCode('mail_given_up'),
      matchGivenUpLink('mail_unavailable'),
      matchRepeatedCode('mail_unavailable', 3),
      FilterPattern.all(
        matchCode('mail_throttled'),
        FilterPattern.numberValue('$.pending_seconds', '>=', longPeriod.toSeconds()),
      ),
    );
    this.#alarmOnAny(
      'MailNotSent',
      addLogMetric(logs, { name: 'MailNotSent', pattern }).with({ period, statistic: 'sum' }),
      'SES rejects all mail from this sender, or has not accepted some of it for a while. The log has the name of the SES error, the account and the invitation. Check the SES identity, permissions, configuration set, account and quotas. Pending mail is retried for one day; resend mail that was given up with POST …/resend.',
    );
    this.#alarmAbove(
      'MailRefused',
      addLogMetric(logs, {
        name: 'MailRefused',
        pattern: FilterPattern.any(
          matchCode('mail_refused'),
          matchGivenUpLink('address_invalid'),
          matchGivenUpLink('message_rejected'),
        ),
      }).with({ period: longPeriod, statistic: 'sum' }),
      refusedMailThreshold,
      'SES rejects many messages because of their content. The log shows the accounts. SES suspends senders that mail many addresses which do not exist.',
    );
  }

  /**
   * A copied passkey or a gap in the audit trail is worth a look at once; a link that was refused
   * only when there are many.
   */
  onConsoleWarnings(warnings: readonly ConsoleWarning[]): void {
    const name = 'ConsoleWarnings';
    const metrics = warnings.flatMap(({ code, isUrgent, loggedBy }) =>
      loggedBy.map(({ logGroup }) =>
        addLogMetric(logGroup, {
          ...{ name, id: `${name}Of${code}`, pattern: matchCode(code) },
          value: isUrgent ? `${consoleWarningThreshold}` : '1',
        }),
      ),
    );
    const [metric] = metrics;
    if (!metric) return;
    this.#alarmAbove(
      name,
      metric.with({ period: longPeriod, statistic: 'sum' }),
      consoleWarningThreshold,
      `A passkey may have been copied (passkey_cloned), the audit trail does not know how an act ended (audit_outcome_not_recorded), or ${consoleWarningThreshold} requests for sign-in links were above the allowance of a mailbox in 15 minutes (sign_in_requests_limited). The logs name the account. "npm run -s daybook -- console reset" ends all sessions and passkeys of an account.`,
    );
  }

  onProviderProblem(
    { name, lines, minCount, minPercent, meaning }: ProviderProblem,
    loggedBy: readonly LambdaFunction[],
  ): void {
    const countedMetrics = loggedBy.flatMap(({ logGroup }) =>
      Array.from(
        Map.groupBy(lines, ({ weight = 1 }) => weight),
        ([weight, sameWeight]) => {
          const pattern = FilterPattern.any(
            ...sameWeight.map(({ code, failures }) =>
              failures === undefined ? matchCode(code) : matchRepeatedCode(code, failures),
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
    // The emulator does not support alarms on two metrics, and a single one fails the whole
    // deployment.
    if (minPercent === undefined || this.#emulator) {
      this.#alarmAbove(name, found, minCount, meaning);
      return;
    }
    const share = new MathExpression({
      expression: `IF(found >= ${minCount}, 100 * found / runs, 0)`,
      usingMetrics: { found, runs: first.metricInvocations({ period: longPeriod, statistic: 'sum' }) },
      label: `${name} as a percentage of invocations`,
      period: longPeriod,
    });
    this.#alarmAbove(name, share, minPercent, meaning);
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
