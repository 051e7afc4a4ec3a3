// Checks whole templates: of the real manifest, of one with every trigger, and of each option.
import { Template as Assertions, Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DeploymentOptions } from '../../../infra/cloud/deployment-options.ts';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { functions as realFunctions, queues as realQueues } from '../../../infra/functions.ts';
import { decodeFeedCursor, encodeFeedCursor } from '../../../shared/events/feed-cursor.ts';
import { settingNames } from '../../../shared/platform/setting-names.ts';
import { tableSchema } from '../../../shared/system/table-schema.ts';
import { functions, queues } from './fixtures/manifest.ts';
import { testStack } from './stack-rules.ts';
import { permanentOptions, synthesize } from './synthesize.ts';
import { countAlarmMetrics, referenceText, resourcesOfType, type Template } from './template.ts';

testStack('a manifest with every trigger', { functions, queues });
testStack('the manifest', { functions: realFunctions, queues: realQueues });

describe('triggers', () => {
  let stack: Assertions;
  beforeAll(async () => {
    stack = Assertions.fromJSON(await synthesize({ functions, queues }));
  }, 120_000);

  test("a queue delivers batches, accepts partial failures, and has six times its reader's timeout as visibility timeout", () => {
    stack.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^SeedQueue'), 'Arn'] },
      BatchSize: functions.eraser.trigger.batchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: functions.eraser.trigger.maxConcurrency },
    });
    stack.hasResourceProperties('AWS::SQS::Queue', { VisibilityTimeout: 6 * functions.eraser.timeoutSeconds });
  });

  test('the stream delivers only images of the named keys, bisects batches, and keeps failed records', () => {
    stack.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Table'), 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: functions.publisher.trigger.batchSize,
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [Match.stringLikeRegexp('^DeadLetters'), 'Arn'] } },
      },
      FilterCriteria: {
        Filters: [
          {
            Pattern: Match.serializedJson({
              eventName: ['INSERT', 'MODIFY'],
              dynamodb: { NewImage: { feed: { S: [{ exists: true }] } } },
            }),
          },
        ],
      },
    });
  });

  test("the bus sends the detail of matching events to a function's queue, and keeps what it cannot deliver", () => {
    const arn = (name: string) => ({ 'Fn::GetAtt': [Match.stringLikeRegexp(`^${name}`), 'Arn'] });
    stack.hasResourceProperties('AWS::Events::Rule', {
      EventBusName: { Ref: Match.stringLikeRegexp('^Bus') },
      EventPattern: Match.exact({ source: ['daybook'], 'detail-type': ['user.created', 'user.deleted'] }),
      Targets: [
        Match.objectLike({
          Arn: arn('MailQueue'),
          InputPath: '$.detail',
          DeadLetterConfig: { Arn: arn('DeadLetters') },
          RetryPolicy: Match.anyValue(),
        }),
      ],
    });
    stack.hasResourceProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Principal: { Service: 'events.amazonaws.com' }, Resource: arn('MailQueue') }),
        ]),
      },
    });
  });

  test('the schedule calls its function at a fixed interval in minutes', () => {
    stack.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(5 minutes)',
      Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^SweepFunction'), 'Arn'] } })],
    });
  });
});

describe('the settings of a function', () => {
  const environmentOf = (template: Template, spec: FunctionSpec): Record<string, unknown> => {
    const [, found] =
      resourcesOfType(template, 'AWS::Lambda::Function').find(
        ([, f]) => f.Properties['Description'] === spec.whenItFails,
      ) ?? [];
    const environment = found?.Properties['Environment'];
    const variables =
      environment && typeof environment === 'object' && 'Variables' in environment ? environment.Variables : {};
    return Object.fromEntries(Object.entries(variables ?? {}));
  };
  const variablesOf = (template: Template, spec: FunctionSpec): string[] =>
    Object.keys(environmentOf(template, spec)).toSorted();

  test('are exactly those that it needs', async () => {
    const template = await synthesize({ functions, queues });
    expect(variablesOf(template, functions.home)).toEqual(['DAYBOOK_RUNTIME', 'DAYBOOK_TABLE']);
    expect(variablesOf(template, functions.publisher)).toEqual(['DAYBOOK_BUS', 'DAYBOOK_RUNTIME', 'DAYBOOK_TABLE']);
    expect(variablesOf(template, functions.people)).toEqual([
      'DAYBOOK_QUEUE_SEED',
      'DAYBOOK_RUNTIME',
      'DAYBOOK_SECRET_ID',
      'DAYBOOK_TABLE',
    ]);
  });

  test('name the public address when the API has its own domain', async () => {
    const template = await synthesize(
      { functions, queues },
      { ...permanentOptions, baseUrl: 'https://api.example.org' },
    );
    expect(variablesOf(template, functions.home)).toContain('DAYBOOK_BASE_URL');
    expect(variablesOf(template, functions.sweep)).not.toContain('DAYBOOK_BASE_URL');
  });

  test('with a new table epoch, cursors of the events feed that were issued before expire', async () => {
    const manifest = { functions: realFunctions, queues: realQueues };
    const readEpoch = async (options: DeploymentOptions) => {
      const template = await synthesize(manifest, options);
      const readers = Object.values(realFunctions).filter((spec) =>
        variablesOf(template, spec).includes(settingNames.tableEpoch),
      );
      expect(readers).toEqual(Object.values(realFunctions).filter((spec) => 'readsFeed' in spec && spec.readsFeed));
      const [epoch, ...others] = readers.map((spec) =>
        JSON.stringify(environmentOf(template, spec)[settingNames.tableEpoch]),
      );
      expect(others).toEqual([]);
      expect(epoch).toContain('StreamArn');
      return { deployment: { kind: 'aws' as const, tableEpoch: String(epoch) } };
    };
    const before = await readEpoch(permanentOptions);
    const after = await readEpoch({ ...permanentOptions, tableEpoch: 'restored' });
    const later = await readEpoch({ ...permanentOptions, tableEpoch: 'restored-again' });
    const position = { first: 7, seen: 2 };
    for (const issued of [before, after, later])
      for (const current of [before, after, later])
        expect(decodeFeedCursor(current, encodeFeedCursor(issued, position))).toEqual(
          issued === current ? position : 'of another table',
        );
  });
});

describe('deployment options', () => {
  test('a test deployment leaves nothing behind', async () => {
    const template = await synthesize({ functions, queues }, { ephemeral: true, emulator: false });
    const retained = Object.entries(template.Resources).filter(([, resource]) => resource.DeletionPolicy === 'Retain');
    expect(retained).toEqual([]);
    const [[, table] = []] = resourcesOfType(template, 'AWS::DynamoDB::Table');
    expect(table?.Properties['DeletionProtectionEnabled']).toBe(false);
  });

  test('the emulator has every resource', async () => {
    const full = await synthesize({ functions, queues }, { ephemeral: true, emulator: false });
    const emulated = await synthesize({ functions, queues }, { ephemeral: true, emulator: true });
    expect(Object.keys(emulated.Resources).sort()).toEqual(Object.keys(full.Resources).sort());
  });

  test('no alarm in the emulator watches several metrics, which the emulator does not support', async () => {
    const manifest = { functions: realFunctions, queues: realQueues };
    const countWithSeveral = async (emulator: boolean) =>
      resourcesOfType(await synthesize(manifest, { ephemeral: true, emulator }), 'AWS::CloudWatch::Alarm').filter(
        ([, { Properties }]) => countAlarmMetrics(Properties) > 1,
      ).length;
    expect(await countWithSeveral(true)).toBe(0);
    expect(await countWithSeveral(false)).toBeGreaterThan(0);
  });

  test('with provisioned capacity the table and each index start at the minimum and scale with use', async () => {
    const provisioned = { writes: { min: 25, max: 1_000 }, reads: { min: 10, max: 500 } };
    const template = await synthesize({ functions, queues }, { ...permanentOptions, provisioned });
    const [[, table] = []] = resourcesOfType(template, 'AWS::DynamoDB::Table');
    const minCapacity = { ProvisionedThroughput: { WriteCapacityUnits: 25, ReadCapacityUnits: 10 } };
    expect(table?.Properties).toMatchObject({
      ...minCapacity,
      GlobalSecondaryIndexes: tableSchema.indexes.map(({ name }) => ({ IndexName: name, ...minCapacity })),
    });
    expect(table?.Properties).not.toHaveProperty('BillingMode', 'PAY_PER_REQUEST');

    const targets = resourcesOfType(template, 'AWS::ApplicationAutoScaling::ScalableTarget').map(
      ([id, { Properties }]) => ({
        id,
        bounds: `${Properties['ScalableDimension']} ${Properties['MinCapacity']}-${Properties['MaxCapacity']}`,
        of: referenceText(template, Properties['ResourceId']).replace('table/Table', 'table'),
      }),
    );
    expect(targets.map(({ of, bounds }) => `${of}: ${bounds}`).sort()).toEqual(
      [
        'table: dynamodb:table:WriteCapacityUnits 25-1000',
        'table: dynamodb:table:ReadCapacityUnits 10-500',
        ...tableSchema.indexes.flatMap(({ name }) => [
          `table/index/${name}: dynamodb:index:WriteCapacityUnits 25-1000`,
          `table/index/${name}: dynamodb:index:ReadCapacityUnits 10-500`,
        ]),
      ].sort(),
    );
    const policies = resourcesOfType(template, 'AWS::ApplicationAutoScaling::ScalingPolicy').map(
      ([, { Properties }]) => Properties,
    );
    expect(policies.map((policy) => JSON.stringify(policy['ScalingTargetId'])).sort()).toEqual(
      targets.map(({ id }) => JSON.stringify({ Ref: id })).sort(),
    );
    for (const policy of policies)
      expect(policy).toMatchObject({ TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 } });
  });

  test('alarms notify the named topic', async () => {
    const alarmTopicArn = 'arn:aws:sns:eu-central-1:111122223333:on-call';
    const template = await synthesize({ functions, queues }, { ...permanentOptions, alarmTopicArn });
    Assertions.fromJSON(template).allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: [alarmTopicArn] });
  });
});
