// Rules that hold for the stack of any function manifest.
import { Template as Assertions, Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { toPascalCase } from '../../../infra/cloud/names.ts';
import type { DaybookStackInput } from '../../../infra/cloud/stack.ts';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { isFifoQueue } from '../../../shared/system/jobs.ts';
import { tableSchema } from '../../../shared/system/table-schema.ts';
import { synthesize } from './synthesize.ts';
import {
  countAlarmMetrics,
  findQueuesWithoutDeadLetters,
  referenceText,
  resourceName,
  resourcesOfType,
  type Template,
} from './template.ts';

const routeTarget = (template: Template, routeKey: unknown): string => {
  const route = resourcesOfType(template, 'AWS::ApiGatewayV2::Route').find(
    ([, r]) => r.Properties['RouteKey'] === routeKey,
  );
  if (!route) throw new Error(`The API has no route ${String(routeKey)}.`);
  const integration = referenceText(template, route[1].Properties['Target']).replace('integrations/', '');
  const [, found] =
    resourcesOfType(template, 'AWS::ApiGatewayV2::Integration').find(
      ([id]) => referenceText(template, { Ref: id }) === integration,
    ) ?? [];
  expect(found?.Properties).toMatchObject({ PayloadFormatVersion: '2.0' });
  return referenceText(template, found?.Properties['IntegrationUri']).replace(/Function\.Arn$/, '');
};

export function testStack(map: string, { functions, queues }: Pick<DaybookStackInput, 'functions' | 'queues'>): void {
  describe(`the stack of ${map}`, () => {
    const specs = Object.values<FunctionSpec>(functions);
    let template: Template;
    let stack: Assertions;
    beforeAll(async () => {
      template = await synthesize({ functions, queues });
      stack = Assertions.fromJSON(template);
    }, 120_000);

    test('has a table that is restorable, encrypted with its own rotating key and protected from deletion', () => {
      stack.hasResource('AWS::DynamoDB::Table', {
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: Match.anyValue() },
          StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
          TimeToLiveSpecification: { AttributeName: tableSchema.ttl, Enabled: true },
        },
      });
      stack.hasResource('AWS::KMS::Key', { DeletionPolicy: 'Retain', Properties: { EnableKeyRotation: true } });
      stack.hasResource('AWS::SecretsManager::Secret', {
        DeletionPolicy: 'Retain',
        Properties: { GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } },
      });
    });

    test('gives the table the keys and indexes of the store', () => {
      const [[, table] = []] = resourcesOfType(template, 'AWS::DynamoDB::Table');
      const keySchema = (pk: string, sk: string) => [
        { AttributeName: pk, KeyType: 'HASH' },
        { AttributeName: sk, KeyType: 'RANGE' },
      ];
      expect(table?.Properties['KeySchema']).toEqual(keySchema(tableSchema.pk, tableSchema.sk));
      expect(table?.Properties['GlobalSecondaryIndexes']).toEqual(
        tableSchema.indexes.map((index) => ({
          IndexName: index.name,
          KeySchema: keySchema(index.pk, index.sk),
          Projection: { ProjectionType: index.projection },
        })),
      );
    });

    test('runs every function on Node 24 and arm64, with its memory and timeout, and describes the impact of a failure', () => {
      stack.resourceCountIs('AWS::Lambda::Function', specs.length);
      for (const spec of specs) {
        stack.hasResourceProperties('AWS::Lambda::Function', {
          Description: spec.whenItFails,
          Runtime: 'nodejs24.x',
          Architectures: ['arm64'],
          MemorySize: spec.memoryMb,
          Timeout: spec.timeoutSeconds,
        });
      }
    });

    test('expires all logs', () => {
      stack.resourceCountIs('AWS::Logs::LogGroup', specs.length + 1);
      stack.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
    });

    test('raises an alarm for every crashed worker and every 5xx response', () => {
      const counting = resourcesOfType(template, 'AWS::Logs::MetricFilter').filter(([, { Properties }]) =>
        JSON.stringify(Properties['MetricTransformations']).includes('"WorkersCrashed"'),
      );
      const logs = counting.map(([, { Properties }]) => referenceText(template, Properties['LogGroupName']));
      expect(logs.sort()).toEqual(
        Object.entries<FunctionSpec>(functions)
          .flatMap(([name, { trigger }]) => (trigger.kind === 'http' ? [] : [`${toPascalCase(name)}FunctionLogs`]))
          .sort(),
      );
      for (const [, { Properties }] of counting)
        expect(Properties).toMatchObject({
          FilterPattern: '?"Invoke Error" ?"Task timed out" ?"Runtime exited" ?"Status: error" ?"Status: timeout"',
          MetricTransformations: [{ MetricName: 'WorkersCrashed', MetricNamespace: 'Daybook', MetricValue: '1' }],
        });
      const atOne = { Threshold: 1, ComparisonOperator: 'GreaterThanOrEqualToThreshold', Statistic: 'Sum' };
      stack.hasResourceProperties('AWS::CloudWatch::Alarm', {
        ...atOne,
        MetricName: 'WorkersCrashed',
        Namespace: 'Daybook',
        Dimensions: Match.absent(),
      });
      stack.hasResourceProperties('AWS::CloudWatch::Alarm', {
        ...atOne,
        MetricName: '5xx',
        Namespace: 'AWS/ApiGateway',
      });
    });

    test('watches no more metrics than an operator can act on, since each has a monthly cost', () => {
      const watched = resourcesOfType(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) =>
        countAlarmMetrics(Properties),
      );
      expect(watched.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(18);
    });

    test('loses no message: every queue with a reader has a dead-letter queue and an alarm', () => {
      expect(findQueuesWithoutDeadLetters(template)).toEqual([]);
      for (const [name, { maxReceives }] of Object.entries(queues)) {
        const [, queue] =
          resourcesOfType(template, 'AWS::SQS::Queue').find(
            ([id]) => resourceName(template, id) === `${toPascalCase(name)}Queue`,
          ) ?? [];
        expect(queue?.Properties).toMatchObject({ RedrivePolicy: { maxReceiveCount: maxReceives } });
      }
      const dead = resourcesOfType(template, 'AWS::SQS::Queue').filter(
        ([, queue]) => !queue.Properties['RedrivePolicy'],
      );
      for (const [id, queue] of dead) {
        expect(queue.Properties).toMatchObject({ MessageRetentionPeriod: 14 * 24 * 3600 });
        stack.hasResourceProperties('AWS::CloudWatch::Alarm', {
          MetricName: 'ApproximateNumberOfMessagesVisible',
          Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [id, 'QueueName'] } }],
        });
      }
    });

    test('processes one message of a group at a time in a FIFO queue, with a FIFO dead-letter queue', () => {
      const ordered = Object.keys(queues).filter(isFifoQueue);
      const fifo = resourcesOfType(template, 'AWS::SQS::Queue').filter(
        ([, queue]) => queue.Properties['FifoQueue'] === true,
      );
      expect(fifo.map(([id]) => resourceName(template, id)).sort()).toEqual(
        ordered.length === 0
          ? []
          : [...ordered.map((name) => `${toPascalCase(name)}Queue`), 'OrderedDeadLetters'].sort(),
      );
      for (const [, queue] of fifo)
        expect(queue.Properties).toMatchObject({
          FifoThroughputLimit: 'perMessageGroupId',
          DeduplicationScope: 'messageGroup',
        });
      for (const name of ordered) {
        const reader = Object.values<FunctionSpec>(functions).find(
          ({ trigger }) => trigger.kind === 'queue' && trigger.queue === name,
        );
        const [id, queue] = fifo.find(([each]) => resourceName(template, each) === `${toPascalCase(name)}Queue`) ?? [];
        expect(queue?.Properties).toMatchObject({ VisibilityTimeout: 2 * (reader?.timeoutSeconds ?? 0) });
        const [mapping] = resourcesOfType(template, 'AWS::Lambda::EventSourceMapping').filter(
          ([, { Properties }]) =>
            referenceText(template, Properties['EventSourceArn']) === `${resourceName(template, id ?? '')}.Arn`,
        );
        expect(mapping?.[1].Properties).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
        expect(mapping?.[1].Properties).not.toHaveProperty('MaximumBatchingWindowInSeconds');
      }
    });

    test('encrypts every queue and denies plain http', () => {
      stack.allResourcesProperties('AWS::SQS::Queue', { SqsManagedSseEnabled: true });
      const guarded = resourcesOfType(template, 'AWS::SQS::QueuePolicy').filter(([, { Properties }]) =>
        JSON.stringify(Properties).includes('"aws:SecureTransport":"false"'),
      );
      expect(guarded).toHaveLength(resourcesOfType(template, 'AWS::SQS::Queue').length);
    });

    test('routes every path of the manifest to its function, and all others to the fallback', () => {
      const paths = new Set<string>();
      for (const [name, { trigger }] of Object.entries<FunctionSpec>(functions)) {
        if (trigger.kind !== 'http') continue;
        for (const { path } of trigger.routes) {
          paths.add(path);
          expect(routeTarget(template, `ANY ${path}`)).toBe(toPascalCase(name));
        }
        if (trigger.fallback) expect(routeTarget(template, '$default')).toBe(toPascalCase(name));
      }
      expect(paths.size).toBeGreaterThan(0);
      stack.resourceCountIs('AWS::ApiGatewayV2::Route', paths.size + 1);
    });

    test('limits requests to a route as the manifest says, after the route is created', () => {
      const [[, stage] = []] = resourcesOfType(template, 'AWS::ApiGatewayV2::Stage');
      const limited = Object.values<FunctionSpec>(functions).flatMap(({ trigger }) =>
        trigger.kind === 'http'
          ? trigger.routes.flatMap(({ path, maxPerSecond = trigger.maxPerSecond }) =>
              maxPerSecond === undefined ? [] : [{ key: `ANY ${path}`, maxPerSecond }],
            )
          : [],
      );
      expect(limited.length).toBeGreaterThan(0);
      expect(stage?.Properties['RouteSettings']).toEqual(
        Object.fromEntries(
          limited.map(({ key, maxPerSecond }) => [
            key,
            { ThrottlingRateLimit: maxPerSecond, ThrottlingBurstLimit: maxPerSecond },
          ]),
        ),
      );
      const routes = resourcesOfType(template, 'AWS::ApiGatewayV2::Route').filter(([, { Properties }]) =>
        limited.some(({ key }) => key === Properties['RouteKey']),
      );
      expect(stage?.DependsOn).toEqual(expect.arrayContaining(routes.map(([id]) => id)));
    });

    test('logs every request without identifying the user', () => {
      const [[, stage] = []] = resourcesOfType(template, 'AWS::ApiGatewayV2::Stage');
      expect(stage?.Properties).toMatchObject({ StageName: '$default', AutoDeploy: true });

      const logged = JSON.stringify(stage?.Properties['AccessLogSettings']);
      expect(logged).toContain('$context.routeKey');
      expect(logged).not.toMatch(/\$context\.(path|identity|domainName)/);
    });
  });
}
