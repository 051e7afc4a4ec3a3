// The whole deployment as one stack, built from the function manifest.
import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { parseMailSender } from '../../shared/platform/mail-address.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import type { QueueName } from '../../shared/system/jobs.ts';
import {
  type FunctionSpec,
  listRequiredQueues,
  needsBaseUrl,
  needsMailSender,
  type QueueSpec,
  sealsTokens,
} from '../function-spec.ts';
import { addAlarms } from './add-alarms.ts';
import { createEventBus } from './bus.ts';
import type { DeploymentOptions } from './deployment-options.ts';
import {
  buildGrants,
  buildMailGrantFor,
  type GrantTargets,
  type MailGrant,
  providerTokenConditions,
} from './grants.ts';
import { createHttpApi, type HttpFunction } from './http-api.ts';
import { createLambdaFunction } from './lambda-function.ts';
import { createDeadLetterQueues, createWorkQueues, type WorkQueue } from './queues.ts';
import { createProvidersSecret, createRootSecret } from './secrets.ts';
import { createDaybookTable } from './table.ts';
import { connectTrigger, needsDeadLetterQueue } from './triggers.ts';

export interface DaybookStackInput {
  functions: Readonly<Record<string, FunctionSpec>>;
  queues: Readonly<Partial<Record<QueueName, QueueSpec>>>;
  /** The folder with the bundles. */
  dist: string;
  options: DeploymentOptions;
}

export function createDaybookStack(
  scope: Construct,
  id: string,
  { functions, queues, dist, options }: DaybookStackInput,
): Stack {
  const stack = new Stack(scope, id, { description: 'Daybook: the open, self-hostable health-data API' });
  const table = createDaybookTable(stack, options);
  const bus = createEventBus(stack);
  const secretArn = createRootSecret(stack, options);
  const providersSecretArn = createProvidersSecret(stack, options);
  const deadLetters = createDeadLetterQueues(stack, queues);
  const workQueuesByName = createWorkQueues(stack, queues, functions, deadLetters);
  const getQueue = (name: QueueName): WorkQueue => {
    const workQueue = workQueuesByName.get(name);
    if (!workQueue)
      throw new Error(
        `A function in the function manifest uses the queue ${name}, which the manifest does not define.`,
      );
    return workQueue;
  };
  const queueArn = (name: QueueName): string => getQueue(name).queue.queueArn;
  const targets: GrantTargets = {
    region: stack.region,
    tableArn: table.arn,
    indexArn: table.indexArn,
    streamArn: table.streamArn,
    keyArn: table.key.keyArn,
    busArn: bus.eventBusArn,
    secretArn,
    providersSecretArn,
    queueArn,
    sendActions: options.emulator ? ['sqs:SendMessage', 'sqs:SendMessageBatch'] : ['sqs:SendMessage'],
    tokenKeyConditions: options.emulator ? undefined : providerTokenConditions,
    mailGrant: buildMailGrant(stack, options),
  };
  const buildEnvironment = (spec: FunctionSpec): Record<string, string> => ({
    // An emulator's webhooks may call this machine; in AWS, only public addresses are ever called.
    [settingNames.runtime]: options.emulator ? 'local' : 'aws',
    [settingNames.table]: table.table.tableName,
    ...(spec.readsFeed ? { [settingNames.tableEpoch]: buildTableEpoch(table.streamArn, options) } : {}),
    ...(spec.secret ? { [settingNames.secret]: secretArn } : {}),
    ...(spec.providerSecrets?.includes('credentials') ? { [settingNames.providersSecret]: providersSecretArn } : {}),
    ...(sealsTokens(spec) ? { [settingNames.vaultKey]: table.key.keyArn } : {}),
    ...(spec.publishes ? { [settingNames.bus]: bus.eventBusName } : {}),
    ...(options.baseUrl && needsBaseUrl(spec) ? { [settingNames.baseUrl]: options.baseUrl } : {}),
    ...(options.mailSender && needsMailSender(spec) ? { [settingNames.mailSender]: options.mailSender } : {}),
    ...(options.mailConfigurationSet && spec.mails
      ? { [settingNames.mailConfigurationSet]: options.mailConfigurationSet }
      : {}),
    ...Object.fromEntries(
      listRequiredQueues(spec).map((name) => [settingNames.queue(name), getQueue(name).queue.queueUrl]),
    ),
  });

  const httpFunctions: HttpFunction[] = [];
  const lambdas = new Map<string, LambdaFunction>();
  for (const [name, spec] of Object.entries(functions)) {
    const { trigger } = spec;
    const deadLetterQueue = needsDeadLetterQueue(trigger) ? deadLetters.standard : undefined;
    const grants: PolicyStatement[] = buildGrants(spec, targets, deadLetterQueue?.queueArn);
    const lambda = createLambdaFunction(
      stack,
      { name, spec, dist, environment: buildEnvironment(spec), grants },
      options,
    );
    connectTrigger(lambda, trigger, { getQueue, streamArn: table.streamArn, bus }, options, deadLetterQueue);
    if (trigger.kind === 'http') httpFunctions.push({ name, trigger, lambda: lambda });
    lambdas.set(name, lambda);
  }
  const api = createHttpApi(stack, httpFunctions, options);
  addAlarms(stack, options, { functions, lambdas, deadLetters, workQueues: workQueuesByName, api });

  new CfnOutput(stack, 'ApiUrl', { value: options.baseUrl ?? api.apiEndpoint, description: 'The URL of the API' });
  new CfnOutput(stack, 'TableName', { value: table.table.tableName, description: `${settingNames.table} for the CLI` });
  new CfnOutput(stack, 'SecretId', { value: secretArn, description: `${settingNames.secret} for the CLI` });
  new CfnOutput(stack, 'ProvidersSecretId', {
    value: providersSecretArn,
    description: `${settingNames.providersSecret} for the CLI: the secret for your provider credentials, a JSON object by provider id`,
  });
  new CfnOutput(stack, 'DeadLettersUrl', {
    value: deadLetters.standard.queueUrl,
    description: 'The dead-letter queue of the alarm DeadLetters',
  });
  if (deadLetters.ordered)
    new CfnOutput(stack, 'OrderedDeadLettersUrl', {
      value: deadLetters.ordered.queueUrl,
      description: 'The dead-letter queue of the alarm OrderedDeadLetters',
    });
  if (options.mailSender)
    new CfnOutput(stack, 'MailSender', {
      value: options.mailSender,
      description: 'The sender of mail; it must be verified in SES',
    });
  return stack;
}

/**
 * The stream's ARN contains a label that is different for every table. It stays the same when the
 * rows of a restored table are copied into this one, so the operator then passes a new epoch.
 */
const buildTableEpoch = (streamArn: string, { tableEpoch }: DeploymentOptions): string =>
  tableEpoch === undefined ? streamArn : `${streamArn} ${tableEpoch}`;

function buildMailGrant(
  stack: Stack,
  { mailSender, mailConfigurationSet, emulator }: DeploymentOptions,
): MailGrant | undefined {
  const sender = mailSender === undefined ? undefined : parseMailSender(mailSender);
  if (!sender) return undefined;
  const arnOf = (resource: string): string => stack.formatArn({ service: 'ses', resource });
  // The emulator does not support identities, and would reject a function that is granted one.
  return emulator
    ? { resources: ['*'], conditions: undefined }
    : buildMailGrantFor(sender, arnOf, mailConfigurationSet);
}
