// Connects each alarm to its functions and queues.
import type { Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { isFifoQueue, type QueueName } from '../../shared/system/jobs.ts';
import type { FunctionSpec } from '../function-spec.ts';
import { Alarms, measureDepth } from './alarms.ts';
import type { DeploymentOptions } from './deployment-options.ts';
import { addLogMetric, matchCode } from './log-metrics.ts';
import { providerProblems } from './provider-problems.ts';
import type { DeadLetterQueues, WorkQueue } from './queues.ts';

/** Which functions log what the console's operator should see. */
const consoleWarnings = [
  { code: 'passkey_cloned', isUrgent: true, functions: ['sign-in'] },
  { code: 'sign_in_requests_limited', isUrgent: false, functions: ['send-invitations'] },
  {
    code: 'audit_outcome_not_recorded',
    isUrgent: true,
    functions: ['sign-in', 'console-settings', 'users', 'devices', 'team', 'webhooks', 'consolidation'],
  },
] as const;

/**
 * Where a provider's limit is used up, data arrives late and nothing fails. A metric without an alarm
 * is free until a line matches.
 */
function countQuotaWaits(logs: ILogGroup): void {
  const pattern = FilterPattern.any(matchCode('provider_quota_waited_for'), matchCode('poll_postponed'));
  addLogMetric(logs, { name: 'QuotaWaits', pattern, dimension: 'provider' });
}

export interface AlarmTargets {
  functions: Readonly<Record<string, FunctionSpec>>;
  lambdas: ReadonlyMap<string, LambdaFunction>;
  deadLetters: DeadLetterQueues;
  workQueues: ReadonlyMap<QueueName, WorkQueue>;
  api: HttpApi;
}

export function addAlarms(
  stack: Stack,
  options: DeploymentOptions,
  { functions, lambdas, deadLetters, workQueues, api }: AlarmTargets,
): void {
  const alarms = new Alarms(stack, options);
  const selectLambdas = (isSelected: (spec: FunctionSpec) => boolean): LambdaFunction[] =>
    Object.entries(functions).flatMap(([name, spec]) => (isSelected(spec) ? (lambdas.get(name) ?? []) : []));

  alarms.onServerErrors(api);
  for (const dead of [deadLetters.standard, deadLetters.ordered]) if (dead) alarms.onDeadLetters(dead);
  const fifoQueues = [...workQueues].filter(([name]) => isFifoQueue(name));
  alarms.onDeepQueues(Object.fromEntries(fifoQueues.map(([name, { queue }]) => [name, measureDepth(queue)])));
  alarms.onCrashes(selectLambdas(({ trigger }) => trigger.kind !== 'http'));
  const sweep = lambdas.get('sweep');
  if (sweep) {
    alarms.onSweep(sweep, functions['sweep']?.whenItFails ?? '');
    const ordered = selectLambdas(({ trigger }) => trigger.kind === 'queue' && isFifoQueue(trigger.queue));
    alarms.onOverdueWork(
      sweep.logGroup,
      lambdas.get('deliver')?.logGroup,
      ordered.map(({ logGroup }) => logGroup),
    );
  }
  const userWorker = lambdas.get('write-user');
  if (userWorker) alarms.onFailingUserData(userWorker.logGroup);
  const sync = lambdas.get('sync');
  if (sync) {
    countQuotaWaits(sync.logGroup);
    alarms.onCrashingSyncs(sync.logGroup);
  }
  for (const name of ['feed', 'deliver']) {
    const worker = lambdas.get(name);
    if (worker) alarms.onUnreadableRows(worker.logGroup);
  }
  if (options.mailSender)
    for (const { logGroup } of selectLambdas(({ mails }) => mails === true)) alarms.onMailProblems(logGroup);
  alarms.onConsoleWarnings(
    consoleWarnings.map(({ functions: names, ...warning }) => ({
      ...warning,
      loggedBy: names.flatMap((name) => lambdas.get(name) ?? []),
    })),
  );
  for (const problem of providerProblems)
    alarms.onProviderProblem(
      problem,
      problem.functions.flatMap((name) => lambdas.get(name) ?? []),
    );
}
