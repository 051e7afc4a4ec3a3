// Checks that the functions of a manifest can do exactly what it grants them on AWS.
import { beforeAll, describe, expect, test } from 'vitest';
import { toPascalCase } from '../../../infra/cloud/names.ts';
import type { DaybookStackInput } from '../../../infra/cloud/stack.ts';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { vaultContext } from '../../../shared/platform/aws/vault.ts';
import { isFifoQueue } from '../../../shared/system/jobs.ts';
import { synthesize } from './synthesize.ts';
import { findWildcardGrants, listGrants, listStatements, type Template } from './template.ts';

/** Returns the grants of a function in the manifest, in the format of `listGrants`. */
function expectedGrants(name: string, spec: FunctionSpec): string[] {
  const grants = [
    `logs:CreateLogStream on ${toPascalCase(name)}FunctionLogs.Arn`,
    `logs:PutLogEvents on ${toPascalCase(name)}FunctionLogs.Arn`,
  ];
  for (const action of spec.table) grants.push(`dynamodb:${action} on Table.Arn`);
  for (const index of spec.indexes ?? []) grants.push(`dynamodb:Query on Table.Arn/index/${index}`);
  for (const queue of spec.sends) grants.push(`sqs:SendMessage on ${toPascalCase(queue)}Queue.Arn`);
  if (spec.publishes) grants.push('events:PutEvents on Bus.Arn');
  if (spec.secret) grants.push('secretsmanager:GetSecretValue on RootSecret.Id');
  if (spec.providerSecrets?.includes('credentials')) grants.push('secretsmanager:GetSecretValue on ProvidersSecret.Id');
  if (spec.providerSecrets?.includes('tokens'))
    grants.push('kms:GenerateDataKey on TableKey.Arn', 'kms:Decrypt on TableKey.Arn');
  if (spec.providerSecrets?.includes('new_tokens')) grants.push('kms:GenerateDataKey on TableKey.Arn');
  if (spec.trigger.kind === 'queue') {
    const queue = `${toPascalCase(spec.trigger.queue)}Queue.Arn`;
    grants.push(
      ...[
        'ReceiveMessage',
        'DeleteMessage',
        'GetQueueAttributes',
        ...(isFifoQueue(spec.trigger.queue) ? ['ChangeMessageVisibility'] : []),
      ].map((action) => `sqs:${action} on ${queue}`),
    );
  }
  if (spec.trigger.kind === 'stream') {
    grants.push(
      ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) => `dynamodb:${action} on Table.StreamArn`),
      'dynamodb:ListStreams on *',
    );
  }
  if (spec.trigger.kind === 'stream') {
    grants.push('sqs:SendMessage on DeadLetters.Arn');
  }
  const writes = spec.table.some((action) => /^(Put|Update|Delete|BatchWrite)/.test(action));
  const touchesTable = spec.table.length > 0 || spec.trigger.kind === 'stream';
  if (touchesTable) grants.push('kms:Decrypt on TableKey.Arn', 'kms:DescribeKey on TableKey.Arn');
  if (writes) grants.push('kms:Encrypt on TableKey.Arn', 'kms:GenerateDataKey on TableKey.Arn');
  return grants.toSorted();
}

export function testPrivileges(
  map: string,
  { functions, queues }: Pick<DaybookStackInput, 'functions' | 'queues'>,
): void {
  describe(`in the template of ${map}`, () => {
    let template: Template;
    beforeAll(async () => {
      template = await synthesize({ functions, queues });
    }, 120_000);

    test.each(Object.entries<FunctionSpec>(functions))(
      '%s can do exactly what the manifest grants it',
      (name, spec) => {
        expect(listGrants(template, `${toPascalCase(name)}Function`)).toEqual(expectedGrants(name, spec));
      },
    );

    test('no wildcard is allowed', () => {
      expect(findWildcardGrants(template)).toEqual([]);
    });

    test('the key decrypts tables through DynamoDB, and otherwise only provider tokens', () => {
      const used = listStatements(template).filter(
        ({ carrier, statement }) =>
          carrier.Type === 'AWS::IAM::Role' && statement.Action.some((action) => action.startsWith('kms:')),
      );
      expect(used.length).toBeGreaterThan(0);
      for (const { statement } of used) {
        const conditions = statement.Condition['StringEquals'] ?? {};
        const purpose = conditions['kms:EncryptionContext:purpose'];
        expect(purpose === vaultContext.purpose || 'kms:ViaService' in conditions).toBe(true);
      }
    });
  });
}
