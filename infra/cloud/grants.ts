// The IAM grants of a function: exactly what the function manifest lists, plus what its trigger
// needs.
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { MailSender } from '../../shared/platform/mail-address.ts';
import type { QueueName } from '../../shared/system/jobs.ts';
import type { TableIndex } from '../../shared/system/table-schema.ts';
import { type FunctionSpec, postponedQueue, sealsTokens, type TableAction } from '../function-spec.ts';

/** The ARNs of everything that can be granted. */
export interface GrantTargets {
  region: string;
  tableArn: string;
  indexArn(name: TableIndex): string;
  streamArn: string;
  keyArn: string;
  busArn: string;
  secretArn: string;
  providersSecretArn: string;
  queueArn(name: QueueName): string;
  /**
   * The actions needed to send. On AWS this is one action; the emulator also checks the name of the
   * call.
   */
  sendActions: readonly string[];
  /**
   * Conditions on requests for the tokens' data keys. Undefined for the emulator, which ignores
   * encryption contexts and would reject every request.
   */
  tokenKeyConditions: Conditions | undefined;
  /** Undefined if no sender is configured. No function can send mail then. */
  mailGrant: MailGrant | undefined;
}

export interface MailGrant {
  resources: readonly string[];
  conditions: Conditions | undefined;
}

type Conditions = Record<string, Record<string, string>>;

/** Matches the encryption context of every data key in `shared/platform/aws/vault.ts`. */
export const providerTokenConditions: Conditions = {
  StringEquals: { 'kms:EncryptionContext:purpose': 'provider-tokens' },
};

/**
 * SES authorizes against the identity it verified: the address, its domain or a parent domain. The
 * condition limits all of them to this sender address. SES also authorizes against the
 * configuration set.
 */
export function buildMailGrantFor(
  { address, domain }: MailSender,
  arnOf: (resource: string) => string,
  set?: string,
): MailGrant {
  const labels = domain.split('.');
  const domains = labels.slice(0, -1).map((_, first) => labels.slice(first).join('.'));
  return {
    resources: [
      ...[address, ...domains].map((identity) => arnOf(`identity/${identity}`)),
      ...(set === undefined ? [] : [arnOf(`configuration-set/${set}`)]),
    ],
    conditions: { StringEqualsIgnoreCase: { 'ses:FromAddress': address } },
  };
}

const writeActions: ReadonlySet<TableAction> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']);

export function buildGrants(
  spec: FunctionSpec,
  targets: GrantTargets,
  deadQueueArn: string | undefined,
): PolicyStatement[] {
  const statements: PolicyStatement[] = [];
  const allow = (actions: readonly string[], resources: readonly string[]): void => {
    statements.push(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
  };

  if (spec.table.length > 0)
    allow(
      spec.table.map((action) => `dynamodb:${action}`),
      [targets.tableArn],
    );
  if (spec.indexes && spec.indexes.length > 0) allow(['dynamodb:Query'], spec.indexes.map(targets.indexArn));
  if (spec.sends.length > 0) allow(targets.sendActions, spec.sends.map(targets.queueArn));
  if (spec.publishes) allow(['events:PutEvents'], [targets.busArn]);
  if (spec.secret) allow(['secretsmanager:GetSecretValue'], [targets.secretArn]);
  if (spec.providerSecrets?.includes('credentials'))
    allow(['secretsmanager:GetSecretValue'], [targets.providersSecretArn]);
  if (sealsTokens(spec))
    statements.push(
      new PolicyStatement({
        actions: ['kms:GenerateDataKey', ...(spec.providerSecrets?.includes('tokens') ? ['kms:Decrypt'] : [])],
        resources: [targets.keyArn],
        ...(targets.tokenKeyConditions && { conditions: targets.tokenKeyConditions }),
      }),
    );

  if (spec.mails && targets.mailGrant) {
    const { resources, conditions } = targets.mailGrant;
    statements.push(
      new PolicyStatement({ actions: ['ses:SendEmail'], resources: [...resources], ...(conditions && { conditions }) }),
    );
  }

  if (spec.trigger.kind === 'queue') {
    const visibilityActions = postponedQueue(spec.trigger) === undefined ? [] : ['sqs:ChangeMessageVisibility'];
    allow(
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', ...visibilityActions],
      [targets.queueArn(spec.trigger.queue)],
    );
  }
  if (spec.trigger.kind === 'stream') {
    allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], [targets.streamArn]);
    // This action does not support a narrower resource.
    allow(['dynamodb:ListStreams'], ['*']);
  }
  if (deadQueueArn) allow(['sqs:SendMessage'], [deadQueueArn]);

  const keyActions = listKeyActions(spec);
  if (keyActions.length > 0) {
    statements.push(
      new PolicyStatement({
        actions: keyActions,
        resources: [targets.keyArn],
        conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${targets.region}.amazonaws.com` } },
      }),
    );
  }
  return statements;
}

function listKeyActions(spec: FunctionSpec): string[] {
  const reads = ['kms:Decrypt', 'kms:DescribeKey'];
  if (spec.table.some((action) => writeActions.has(action))) return [...reads, 'kms:Encrypt', 'kms:GenerateDataKey'];
  return spec.table.length > 0 || spec.trigger.kind === 'stream' ? reads : [];
}
