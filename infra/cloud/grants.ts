// What a function may do: exactly what the map says of it, and what its trigger cannot work without.
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { MailSender } from '../../shared/platform/mail-address.ts';
import type { QueueName } from '../../shared/system/jobs.ts';
import { type FunctionSpec, postponedQueue, sealsTokens, type TableAction } from '../function-spec.ts';

/** The ARNs of everything that can be granted. */
export interface Grantable {
  region: string;
  tableArn: string;
  indexArns: readonly string[];
  streamArn: string;
  keyArn: string;
  busArn: string;
  secretArn: string;
  providersSecretArn: string;
  queueArn(name: QueueName): string;
  /** What it takes to send: one action on AWS; the emulator asks for the name of the call. */
  sending: readonly string[];
  /** What a request about the tokens' data keys must say: the emulator looks at no encryption context, and would refuse all of them. */
  sealing: Conditions | undefined;
  /** Undefined where no sender is configured: then nobody mails. */
  mailing: Mailing | undefined;
}

export interface Mailing {
  resources: readonly string[];
  conditions: Conditions | undefined;
}

type Conditions = Record<string, Record<string, string>>;

/** As `shared/platform/aws/vault.ts` says it of every data key. */
export const forVendorTokens: Conditions = {
  StringEquals: { 'kms:EncryptionContext:purpose': 'vendor-tokens' },
};

/**
 * SES looks at the identity that it verified: the address, its domain, or one above. All of them only let this address send; a configuration
 * set is looked at as well.
 */
export function asSender({ address, domain }: MailSender, arnOf: (resource: string) => string, set?: string): Mailing {
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

const writes: ReadonlySet<TableAction> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']);

export function grantsOf(spec: FunctionSpec, on: Grantable, deadQueueArn: string | undefined): PolicyStatement[] {
  const statements: PolicyStatement[] = [];
  const allow = (actions: readonly string[], resources: readonly string[]): void => {
    statements.push(new PolicyStatement({ actions: [...actions], resources: [...resources] }));
  };

  if (spec.table.length > 0)
    allow(
      spec.table.map((action) => `dynamodb:${action}`),
      [on.tableArn],
    );
  if (spec.table.includes('Query') && on.indexArns.length > 0) allow(['dynamodb:Query'], on.indexArns);
  if (spec.sends.length > 0) allow(on.sending, spec.sends.map(on.queueArn));
  if (spec.publishes) allow(['events:PutEvents'], [on.busArn]);
  if (spec.secret) allow(['secretsmanager:GetSecretValue'], [on.secretArn]);
  if (spec.vendors?.includes('credentials')) allow(['secretsmanager:GetSecretValue'], [on.providersSecretArn]);
  if (sealsTokens(spec))
    statements.push(
      new PolicyStatement({
        actions: ['kms:GenerateDataKey', ...(spec.vendors?.includes('tokens') ? ['kms:Decrypt'] : [])],
        resources: [on.keyArn],
        ...(on.sealing && { conditions: on.sealing }),
      }),
    );

  if (spec.mails && on.mailing) {
    const { resources, conditions } = on.mailing;
    statements.push(
      new PolicyStatement({ actions: ['ses:SendEmail'], resources: [...resources], ...(conditions && { conditions }) }),
    );
  }

  if (spec.trigger.kind === 'queue') {
    const postponing = postponedQueue(spec.trigger) === undefined ? [] : ['sqs:ChangeMessageVisibility'];
    allow(
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', ...postponing],
      [on.queueArn(spec.trigger.queue)],
    );
  }
  if (spec.trigger.kind === 'stream') {
    allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], [on.streamArn]);
    // Knows no narrower resource.
    allow(['dynamodb:ListStreams'], ['*']);
  }
  if (deadQueueArn) allow(['sqs:SendMessage'], [deadQueueArn]);

  const keyActions = keyActionsOf(spec);
  if (keyActions.length > 0) {
    statements.push(
      new PolicyStatement({
        actions: keyActions,
        resources: [on.keyArn],
        conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${on.region}.amazonaws.com` } },
      }),
    );
  }
  return statements;
}

function keyActionsOf(spec: FunctionSpec): string[] {
  const reads = ['kms:Decrypt', 'kms:DescribeKey'];
  if (spec.table.some((action) => writes.has(action))) return [...reads, 'kms:Encrypt', 'kms:GenerateDataKey'];
  return spec.table.length > 0 || spec.trigger.kind === 'stream' ? reads : [];
}
