// Checks whole templates: of the real manifest, of one with every trigger, and of each option.
import { fileURLToPath } from 'node:url';
import { Template as Assertions, Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../../infra/cli/commands.ts';
import type { DeploymentOptions } from '../../../infra/cloud/deployment-options.ts';
import { toPascalCase } from '../../../infra/cloud/names.ts';
import { providerProblems } from '../../../infra/cloud/provider-problems.ts';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { functions as realFunctions, queues as realQueues } from '../../../infra/functions.ts';
import { decodeFeedCursor, encodeFeedCursor } from '../../../shared/events/feed-cursor.ts';
import { settingNames } from '../../../shared/platform/setting-names.ts';
import { tableSchema } from '../../../shared/system/table-schema.ts';
import { readImports } from '../../architecture/imports.ts';
import { filesOfFunction, readLoggedCodes } from '../../architecture/logged-codes.ts';
import { functions, queues } from './fixtures/manifest.ts';
import { testStack } from './stack-rules.ts';
import { permanentOptions, synthesize } from './synthesize.ts';
import { countAlarmMetrics, referenceText, resourceName, resourcesOfType, type Template } from './template.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

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

describe('alarms', () => {
  let template: Template;
  beforeAll(async () => {
    template = await synthesize({ functions: realFunctions, queues: realQueues });
  }, 120_000);
  const alarmsOn = (metric: string) =>
    resourcesOfType(template, 'AWS::CloudWatch::Alarm').filter(
      ([, { Properties }]) => Properties['MetricName'] === metric,
    );

  test('count everything that is set aside or retried later, in total and by message, and notify an operator', () => {
    const filters = resourcesOfType(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    const counting = filters.filter((filter) => String(filter['FilterPattern']).includes('"command_failing"'));
    expect(counting).toHaveLength(2);
    for (const filter of counting)
      for (const code of ['upload_quarantined', 'command_failing', 'scoring_failed', 'commands_unreadable'])
        expect(filter['FilterPattern']).toContain(`$.message = "${code}"`);
    const dimensions = counting.map((filter) => JSON.stringify(filter['MetricTransformations']).includes('$.message'));
    expect(dimensions.sort()).toEqual([false, true]);
    expect(alarmsOn('UserDataFailing').map(([, { Properties }]) => Properties['Threshold'])).toEqual([1]);
  });

  test('report rows that were skipped, and an endpoint that responds and is hours behind', () => {
    const filters = resourcesOfType(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    const named = (code: string) => filters.filter((filter) => String(filter['FilterPattern']).includes(`"${code}"`));
    const metricsOf = (code: string) =>
      named(code).map((filter) => [
        referenceText(template, filter['LogGroupName']),
        JSON.stringify(filter['MetricTransformations']).match(/"MetricName":"(\w+)"/)?.[1],
      ]);
    for (const code of ['webhook_row_unreadable', 'outbox_row_unreadable'])
      expect(metricsOf(code).sort()).toEqual(
        ['DeliverFunctionLogs', 'DeliverFunctionLogs', 'FeedFunctionLogs', 'FeedFunctionLogs'].map((logs) => [
          logs,
          'UserDataFailing',
        ]),
      );
    expect(metricsOf('sync_quarantined')).toEqual([
      ['SyncFunctionLogs', 'UserDataFailing'],
      ['SyncFunctionLogs', 'UserDataFailing'],
    ]);
    expect(metricsOf('webhook_behind').sort()).toEqual([
      ['DeliverFunctionLogs', 'PendingOldestSeconds'],
      ['DeliverFunctionLogs', 'WebhookLagSeconds'],
    ]);
  });

  test('measure the backlog of every kind, and fire when any of it grows old', () => {
    const filters = resourcesOfType(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    const counting = filters.filter((filter) => filter['FilterPattern'] === '{ $.message = "overdue_work_found" }');
    const byKind = [{ Key: 'kind', Value: '$.kind' }];
    expect(counting.map((filter) => filter['MetricTransformations'])).toEqual(
      expect.arrayContaining([
        [expect.objectContaining({ MetricName: 'PendingWork', MetricValue: '$.pending', Dimensions: byKind })],
        [expect.objectContaining({ MetricName: 'PendingOldestSeconds', Dimensions: byKind })],
        [expect.not.objectContaining({ Dimensions: byKind })],
      ]),
    );
    const [alarm, ...others] = alarmsOn('PendingOldestSeconds').map(([, { Properties }]) => Properties);
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({ Threshold: 900, Statistic: 'Maximum' });
    expect(alarm).not.toHaveProperty('Dimensions');
  });

  test('fire when the sweep fails, and when it does not run', () => {
    const isOfSweep = ({ Properties }: { Properties: Record<string, unknown> }) =>
      JSON.stringify(Properties['Dimensions'] ?? '').includes('"SweepFunction');
    const alarms = resourcesOfType(template, 'AWS::CloudWatch::Alarm').filter(([, alarm]) => isOfSweep(alarm));
    expect(alarms.map(([, { Properties }]) => [Properties['MetricName'], Properties['TreatMissingData']])).toEqual([
      ['Errors', 'notBreaching'],
      ['Invocations', 'breaching'],
    ]);
  });

  test('count provider problems, in total and by provider, with one alarm each', () => {
    const filters = resourcesOfType(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    const alarms = resourcesOfType(template, 'AWS::CloudWatch::Alarm').map(([id]) => resourceName(template, id));
    expect(providerProblems).toHaveLength(5);
    for (const { name, lines, functions: loggedBy } of providerProblems) {
      const own = filters.filter((filter) => JSON.stringify(filter['MetricTransformations']).includes(`"${name}"`));
      const byProvider = own.filter((filter) => JSON.stringify(filter).includes('$.provider'));
      expect(byProvider).toHaveLength(own.length / 2);
      const logs = new Set(own.map((filter) => referenceText(template, filter['LogGroupName'])));
      expect([...logs].sort()).toEqual(loggedBy.map((each) => `${toPascalCase(each)}FunctionLogs`).sort());
      for (const { code } of lines)
        expect(own.filter((filter) => String(filter['FilterPattern']).includes(`$.message = "${code}"`))).toHaveLength(
          2 * loggedBy.length,
        );
      expect(alarms.filter((each) => each === `${name}Alarm`)).toHaveLength(1);
    }
  });

  test("do not watch waits for a provider's limit, which are counted by provider", () => {
    const filters = resourcesOfType(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    const [waits, ...others] = filters.filter((filter) => JSON.stringify(filter).includes('"QuotaWaits"'));
    expect(others).toEqual([]);
    expect(JSON.stringify(waits?.['MetricTransformations'])).toContain('$.provider');
    for (const code of ['provider_quota_waited_for', 'poll_postponed'])
      expect(waits?.['FilterPattern']).toContain(`$.message = "${code}"`);
    expect(alarmsOn('QuotaWaits')).toEqual([]);
  });

  test('fire for a share of invocations only if the problem also has its minimum count', () => {
    const alarms = resourcesOfType(template, 'AWS::CloudWatch::Alarm');
    const shares = providerProblems.filter(({ minPercent }) => minPercent !== undefined);
    expect(shares.length).toBeGreaterThan(0);
    for (const { name, minCount, minPercent } of shares) {
      const [, alarm] = alarms.find(([id]) => resourceName(template, id) === `${name}Alarm`) ?? [];
      expect(alarm?.Properties, name).toMatchObject({ Threshold: minPercent });
      expect(alarm?.Properties['Metrics']).toContainEqual(
        expect.objectContaining({ Expression: `IF(found >= ${minCount}, 100 * found / runs, 0)` }),
      );
    }
  });

  test('watch only functions that log what they count, and miss no code that they count', async () => {
    const withMail = await synthesize(
      { functions: realFunctions, queues: realQueues },
      { ...permanentOptions, mailSender: 'no-reply@example.org' },
    );
    const loggedCodes = readLoggedCodes(root);
    const imports = readImports(root);
    const codesByLogs = new Map(
      Object.entries<FunctionSpec>(realFunctions).map(([name, { entry }]) => [
        `${toPascalCase(name)}FunctionLogs`,
        new Set([...filesOfFunction(entry, imports)].flatMap((file) => loggedCodes.get(file) ?? [])),
      ]),
    );
    const counted = new Set<string>();
    const found = new Set<string>();
    for (const [id, { Properties }] of resourcesOfType(withMail, 'AWS::Logs::MetricFilter')) {
      const codes = [...String(Properties['FilterPattern']).matchAll(/\$\.message = "(\w+)"/g)].map(
        ([, code = '']) => code,
      );
      const logged = codesByLogs.get(referenceText(withMail, Properties['LogGroupName']));
      const both = codes.filter((code) => logged?.has(code));
      if (codes.length > 0) expect(both, id).not.toEqual([]);
      for (const code of codes) counted.add(code);
      for (const code of both) found.add(code);
    }
    expect(counted.size).toBeGreaterThanOrEqual(20);
    expect([...found].sort()).toEqual([...counted].sort());
  });

  test('name commands that exist, in a text that CloudWatch accepts', () => {
    const texts = resourcesOfType(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) =>
      String(Properties['AlarmDescription']),
    );
    for (const text of texts) expect(text.length, text).toBeLessThanOrEqual(1024);
    const named = texts.flatMap((text) => [...text.matchAll(/daybook[^"]*/g)].map(([found]) => found));
    expect(named.length).toBeGreaterThan(0);
    for (const command of named) expect(Object.keys(commands)).toContain(command.replace('daybook -- ', ''));
  });

  test('weigh a sync that fails internally as much as five that find a provider unavailable', () => {
    const weights = resourcesOfType(template, 'AWS::Logs::MetricFilter').flatMap(([, { Properties }]) => {
      const text = JSON.stringify(Properties['MetricTransformations']);
      const [, value] = /"MetricValue":"(\d+)"/.exec(text) ?? [];
      return text.includes('"SyncsFailing"') ? [[Properties['FilterPattern'], value]] : [];
    });
    expect(Object.fromEntries(weights)).toEqual({
      '{ ($.message = "provider_unavailable") && ($.failures >= 3) }': '1',
      '{ ($.message = "sync_failed") && ($.failures >= 3) }': '5',
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
