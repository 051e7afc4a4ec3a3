// What the functions of a map may do on AWS: what the map grants them, and no more.
import { beforeAll, describe, expect, test } from 'vitest';
import { pascal } from '../../../infra/cloud/names.ts';
import type { DaybookMap } from '../../../infra/cloud/stack.ts';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { vaultContext } from '../../../shared/platform/aws/vault.ts';
import { isOrdered } from '../../../shared/system/jobs.ts';
import { tableShape } from '../../../shared/system/keys.ts';
import { synthesize } from './synthesize.ts';
import { grantsOfFunction, statementsOf, type Template, tooWide } from './template.ts';

/** What the map says a function may do, in the words of `grantsOfFunction`. */
function expectedGrants(name: string, spec: FunctionSpec): string[] {
  const grants = [
    `logs:CreateLogStream on ${pascal(name)}FunctionLogs.Arn`,
    `logs:PutLogEvents on ${pascal(name)}FunctionLogs.Arn`,
  ];
  for (const action of spec.table) grants.push(`dynamodb:${action} on Table.Arn`);
  if (spec.table.includes('Query')) {
    grants.push(...tableShape.indexes.map((index) => `dynamodb:Query on Table.Arn/index/${index.name}`));
  }
  for (const queue of spec.sends) grants.push(`sqs:SendMessage on ${pascal(queue)}Queue.Arn`);
  if (spec.publishes) grants.push('events:PutEvents on Bus.Arn');
  if (spec.secret) grants.push('secretsmanager:GetSecretValue on RootSecret.Id');
  if (spec.vendors?.includes('credentials')) grants.push('secretsmanager:GetSecretValue on ProvidersSecret.Id');
  if (spec.vendors?.includes('tokens'))
    grants.push('kms:GenerateDataKey on TableKey.Arn', 'kms:Decrypt on TableKey.Arn');
  if (spec.vendors?.includes('new_tokens')) grants.push('kms:GenerateDataKey on TableKey.Arn');
  if (spec.trigger.kind === 'queue') {
    const queue = `${pascal(spec.trigger.queue)}Queue.Arn`;
    grants.push(
      ...[
        'ReceiveMessage',
        'DeleteMessage',
        'GetQueueAttributes',
        ...(isOrdered(spec.trigger.queue) ? ['ChangeMessageVisibility'] : []),
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

export function tryPrivileges(map: string, { functions, queues }: Pick<DaybookMap, 'functions' | 'queues'>): void {
  describe(`in the template of ${map}`, () => {
    let template: Template;
    beforeAll(async () => {
      template = await synthesize({ functions, queues });
    }, 120_000);

    test.each(Object.entries<FunctionSpec>(functions))('%s may do exactly what the map grants it', (name, spec) => {
      expect(grantsOfFunction(template, `${pascal(name)}Function`)).toEqual(expectedGrants(name, spec));
    });

    test('nothing is allowed by wildcard', () => {
      expect(tooWide(template)).toEqual([]);
    });

    test('the key opens tables through DynamoDB, and else only what was sealed as tokens of vendors', () => {
      const used = statementsOf(template).filter(
        ({ carrier, statement }) =>
          carrier.Type === 'AWS::IAM::Role' && statement.Action.some((action) => action.startsWith('kms:')),
      );
      expect(used.length).toBeGreaterThan(0);
      for (const { statement } of used) {
        const said = statement.Condition['StringEquals'] ?? {};
        const purpose = said['kms:EncryptionContext:purpose'];
        expect(purpose === vaultContext.purpose || 'kms:ViaService' in said).toBe(true);
      }
    });
  });
}
