// The table: on demand unless the deployment sets a capacity, encrypted with its own key, with
// point-in-time recovery and a stream.
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { type TableIndex, tableSchema } from '../../shared/system/table-schema.ts';
import {
  type CapacityRange,
  type DeploymentOptions,
  type ProvisionedCapacity,
  removalPolicy,
} from './deployment-options.ts';

export interface DaybookTable {
  table: Table;
  key: Key;
  arn: string;
  indexArn(name: TableIndex): string;
  streamArn: string;
}

export function createDaybookTable(scope: Construct, options: DeploymentOptions): DaybookTable {
  const { provisioned } = options;
  const key = new Key(scope, 'TableKey', {
    description: 'Encrypts the Daybook table',
    enableKeyRotation: true,
    policy: keyPolicy(),
    removalPolicy: removalPolicy(options),
  });
  const table = new Table(scope, 'Table', {
    partitionKey: { name: tableSchema.pk, type: AttributeType.STRING },
    sortKey: { name: tableSchema.sk, type: AttributeType.STRING },
    timeToLiveAttribute: tableSchema.ttl,
    billingMode: provisioned ? BillingMode.PROVISIONED : BillingMode.PAY_PER_REQUEST,
    ...minCapacity(provisioned),
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: key,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    stream: StreamViewType.NEW_IMAGE,
    deletionProtection: !options.ephemeral,
    removalPolicy: removalPolicy(options),
  });
  for (const index of tableSchema.indexes) {
    table.addGlobalSecondaryIndex({
      indexName: index.name,
      partitionKey: { name: index.pk, type: AttributeType.STRING },
      sortKey: { name: index.sk, type: AttributeType.STRING },
      projectionType: ProjectionType[index.projection],
      ...minCapacity(provisioned),
    });
  }
  if (provisioned) autoscale(table, provisioned);
  const streamArn = table.tableStreamArn;
  if (!streamArn) throw new Error('The table has no stream, so the functions that read it would never run.');
  return {
    table,
    key,
    arn: table.tableArn,
    indexArn: (name) => `${table.tableArn}/index/${name}`,
    streamArn,
  };
}

/** The initial capacity. Autoscaling adjusts it from there. */
const minCapacity = (
  provisioned: ProvisionedCapacity | undefined,
): { writeCapacity?: number; readCapacity?: number } =>
  provisioned ? { writeCapacity: provisioned.writes.min, readCapacity: provisioned.reads.min } : {};

/**
 * Autoscaling takes minutes. With a higher target, an ordinary morning would be throttled before
 * capacity catches up.
 */
const targetUtilizationPercent = 70;

/**
 * An index that falls behind throttles writes to the table, so each index scales with its own use
 * within the same bounds.
 */
function autoscale(table: Table, { writes, reads }: ProvisionedCapacity): void {
  const toCapacityBounds = ({ min, max }: CapacityRange) => ({ minCapacity: min, maxCapacity: max });
  const scalableAttributes = [
    table.autoScaleWriteCapacity(toCapacityBounds(writes)),
    table.autoScaleReadCapacity(toCapacityBounds(reads)),
    ...tableSchema.indexes.flatMap(({ name }) => [
      table.autoScaleGlobalSecondaryIndexWriteCapacity(name, toCapacityBounds(writes)),
      table.autoScaleGlobalSecondaryIndexReadCapacity(name, toCapacityBounds(reads)),
    ]),
  ];
  for (const attribute of scalableAttributes) attribute.scaleOnUtilization({ targetUtilizationPercent });
}

/**
 * Delegates access to the account's IAM policies, action by action. In a key policy, `*` means this
 * key only.
 */
const keyPolicy = (): PolicyDocument =>
  new PolicyDocument({
    statements: [
      new PolicyStatement({
        principals: [new AccountRootPrincipal()],
        resources: ['*'],
        actions: [
          'kms:CancelKeyDeletion',
          'kms:CreateAlias',
          'kms:CreateGrant',
          'kms:Decrypt',
          'kms:DeleteAlias',
          'kms:DescribeKey',
          'kms:DisableKey',
          'kms:DisableKeyRotation',
          'kms:EnableKey',
          'kms:EnableKeyRotation',
          'kms:Encrypt',
          'kms:GenerateDataKey',
          'kms:GenerateDataKeyWithoutPlaintext',
          'kms:GetKeyPolicy',
          'kms:GetKeyRotationStatus',
          'kms:ListGrants',
          'kms:ListKeyPolicies',
          'kms:ListKeyRotations',
          'kms:ListResourceTags',
          'kms:PutKeyPolicy',
          'kms:ReEncryptFrom',
          'kms:ReEncryptTo',
          'kms:RetireGrant',
          'kms:RevokeGrant',
          'kms:RotateKeyOnDemand',
          'kms:ScheduleKeyDeletion',
          'kms:TagResource',
          'kms:UntagResource',
          'kms:UpdateAlias',
          'kms:UpdateKeyDescription',
        ],
      }),
    ],
  });
