// The whole deployment as one stack, read from the map.
import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { mailSenderOf } from '../../shared/platform/mail-address.ts';
import { settingNames } from '../../shared/platform/settings.ts';
import type { QueueName } from '../../shared/system/jobs.ts';
import {
  type FunctionSpec,
  isAddressed,
  knowsSender,
  namedQueues,
  type QueueSpec,
  sealsTokens,
} from '../function-spec.ts';
import { addAlarms } from './add-alarms.ts';
import { eventBus } from './bus.ts';
import { daybookFunction } from './functions.ts';
import { asSender, forVendorTokens, type Grantable, grantsOf, type Mailing } from './grants.ts';
import { type HttpFunction, httpApi } from './http-api.ts';
import type { DeploymentOptions } from './options.ts';
import { deadLetterQueues, type WorkQueue, workQueues } from './queues.ts';
import { providersSecret, rootSecret } from './secret.ts';
import { daybookTable } from './table.ts';
import { connectTrigger, needsDeadQueue } from './triggers.ts';

export interface DaybookMap {
  functions: Readonly<Record<string, FunctionSpec>>;
  queues: Readonly<Partial<Record<QueueName, QueueSpec>>>;
  /** The folder of the bundles. */
  dist: string;
  options: DeploymentOptions;
}

export function daybookStack(scope: Construct, id: string, { functions, queues, dist, options }: DaybookMap): Stack {
  const stack = new Stack(scope, id, { description: 'Daybook: the open, self-hostable health-data API' });
  const table = daybookTable(stack, options);
  const bus = eventBus(stack);
  const secretArn = rootSecret(stack, options);
  const providersSecretArn = providersSecret(stack, options);
  const deadLetters = deadLetterQueues(stack, queues);
  const work = workQueues(stack, queues, functions, deadLetters);
  const queueOf = (name: QueueName): WorkQueue => {
    const found = work.get(name);
    if (!found) throw new Error(`A function of the map names the queue ${name}, which the map does not have.`);
    return found;
  };
  const queueArn = (name: QueueName): string => queueOf(name).queue.queueArn;
  const grantable: Grantable = {
    region: stack.region,
    tableArn: table.arn,
    indexArns: table.indexArns,
    streamArn: table.streamArn,
    keyArn: table.key.keyArn,
    busArn: bus.eventBusArn,
    secretArn,
    providersSecretArn,
    queueArn,
    sending: options.emulator ? ['sqs:SendMessage', 'sqs:SendMessageBatch'] : ['sqs:SendMessage'],
    sealing: options.emulator ? undefined : forVendorTokens,
    mailing: mailingOf(stack, options),
  };
  const environmentOf = (spec: FunctionSpec): Record<string, string> => ({
    // An emulator's webhooks may go to this machine; in AWS nothing but public addresses is ever called.
    [settingNames.place]: options.emulator ? 'local' : 'aws',
    [settingNames.table]: table.table.tableName,
    // The label of its stream: a table that was restored has another one.
    ...(spec.readsFeed ? { [settingNames.tableEpoch]: table.streamArn } : {}),
    ...(spec.secret ? { [settingNames.secret]: secretArn } : {}),
    ...(spec.vendors?.includes('credentials') ? { [settingNames.providersSecret]: providersSecretArn } : {}),
    ...(sealsTokens(spec) ? { [settingNames.vaultKey]: table.key.keyArn } : {}),
    ...(spec.publishes ? { [settingNames.bus]: bus.eventBusName } : {}),
    ...(options.baseUrl && isAddressed(spec) ? { [settingNames.baseUrl]: options.baseUrl } : {}),
    ...(options.mailSender && knowsSender(spec) ? { [settingNames.mailSender]: options.mailSender } : {}),
    ...(options.mailConfigurationSet && spec.mails
      ? { [settingNames.mailConfigurationSet]: options.mailConfigurationSet }
      : {}),
    ...Object.fromEntries(namedQueues(spec).map((name) => [settingNames.queue(name), queueOf(name).queue.queueUrl])),
  });

  const httpFunctions: HttpFunction[] = [];
  const made = new Map<string, LambdaFunction>();
  for (const [name, spec] of Object.entries(functions)) {
    const { trigger } = spec;
    const dead = needsDeadQueue(trigger) ? deadLetters.standard : undefined;
    const grants: PolicyStatement[] = grantsOf(spec, grantable, dead?.queueArn);
    const one = daybookFunction(stack, { name, spec, dist, environment: environmentOf(spec), grants }, options);
    connectTrigger(one, trigger, { queueOf, streamArn: table.streamArn, bus }, options, dead);
    if (trigger.kind === 'http') httpFunctions.push({ name, trigger, answers: one });
    made.set(name, one);
  }
  const api = httpApi(stack, httpFunctions, options);
  addAlarms(stack, options, { functions, made, deadLetters, api });

  new CfnOutput(stack, 'ApiUrl', { value: options.baseUrl ?? api.apiEndpoint, description: 'Where the API answers' });
  new CfnOutput(stack, 'TableName', { value: table.table.tableName, description: `${settingNames.table} for the CLI` });
  new CfnOutput(stack, 'SecretId', { value: secretArn, description: `${settingNames.secret} for the CLI` });
  new CfnOutput(stack, 'ProvidersSecretId', {
    value: providersSecretArn,
    description: 'The secret for what vendors gave you: a JSON object by provider id',
  });
  if (options.mailSender)
    new CfnOutput(stack, 'MailSender', {
      value: options.mailSender,
      description: 'Who signs mail; SES must verify it',
    });
  return stack;
}

function mailingOf(
  stack: Stack,
  { mailSender, mailConfigurationSet, emulator }: DeploymentOptions,
): Mailing | undefined {
  const sender = mailSender === undefined ? undefined : mailSenderOf(mailSender);
  if (!sender) return undefined;
  const arnOf = (resource: string): string => stack.formatArn({ service: 'ses', resource });
  // The emulator looks at no identity, and would refuse whoever is granted one.
  return emulator ? { resources: ['*'], conditions: undefined } : asSender(sender, arnOf, mailConfigurationSet);
}
