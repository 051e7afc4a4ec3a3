// Whole templates, one after the other: of the map, of one with every trigger, of each option.
import { Template as Assertions, Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { vendorTroubles } from '../../../infra/cloud/vendor-troubles.ts';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { functions as realFunctions, queues as realQueues } from '../../../infra/functions.ts';
import { sweptKinds } from '../../../shared/store/due.ts';
import { functions, queues } from './fixtures/map.ts';
import { tryStack } from './stack-rules.ts';
import { forKeeps, synthesize } from './synthesize.ts';
import { nameOf, ofType, type Template } from './template.ts';

tryStack('a map of every trigger', { functions, queues });
tryStack('the map', { functions: realFunctions, queues: realQueues });

describe('the triggers', () => {
  let stack: Assertions;
  beforeAll(async () => {
    stack = Assertions.fromJSON(await synthesize({ functions, queues }));
  }, 120_000);

  test('a queue hands over batches, takes single failures back, and waits six times its reader', () => {
    stack.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^EraseQueue'), 'Arn'] },
      BatchSize: functions.eraser.trigger.batchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: functions.eraser.trigger.mostAtOnce },
    });
    stack.hasResourceProperties('AWS::SQS::Queue', { VisibilityTimeout: 6 * functions.eraser.timeoutSeconds });
  });

  test('the stream hands over only images of the named keys, bisects, and keeps what fails', () => {
    stack.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Table'), 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: functions.publisher.trigger.batchSize,
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [Match.stringLikeRegexp('^PublisherFunctionDead'), 'Arn'] } },
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

  test('the bus fills the queue of a function with what events of its types carry, and keeps what it gives up', () => {
    const arn = (name: string) => ({ 'Fn::GetAtt': [Match.stringLikeRegexp(`^${name}`), 'Arn'] });
    stack.hasResourceProperties('AWS::Events::Rule', {
      EventBusName: { Ref: Match.stringLikeRegexp('^Bus') },
      EventPattern: Match.exact({ source: ['daybook'], 'detail-type': ['user.created', 'user.deleted'] }),
      Targets: [
        Match.objectLike({
          Arn: arn('MailQueue'),
          InputPath: '$.detail',
          DeadLetterConfig: { Arn: arn('MailDead') },
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

  test('the clock calls a scheduled function every so many minutes', () => {
    stack.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(5 minutes)',
      Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^SweepFunction'), 'Arn'] } })],
    });
  });
});

describe('what an operator is told', () => {
  let template: Template;
  beforeAll(async () => {
    template = await synthesize({ functions: realFunctions, queues: realQueues });
  }, 120_000);
  const alarmsOn = (metric: string) =>
    ofType(template, 'AWS::CloudWatch::Alarm').filter(([, { Properties }]) => Properties['MetricName'] === metric);
  const filterOf = (metric: string) => {
    const filters = ofType(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    return filters.find((filter) => JSON.stringify(filter['MetricTransformations']).includes(`"${metric}"`));
  };

  test('names dead-letter queues that there are', () => {
    const queueNames = new Set(ofType(template, 'AWS::SQS::Queue').map(([id]) => nameOf(template, id)));
    for (const { whenItFails, trigger } of Object.values<FunctionSpec>(realFunctions)) {
      const [, named] = /\(dead letters in (\w+)\)$/.exec(whenItFails) ?? [];
      const isAsked = trigger.kind !== 'http' && trigger.kind !== 'schedule';
      expect(named === undefined ? !isAsked : queueNames.has(named)).toBe(true);
    }
  });

  test('counts every upload that is set aside, and wakes somebody', () => {
    expect(filterOf('UploadsSetAside')).toMatchObject({
      FilterPattern: '{ $.message = "upload set aside: it cannot be processed" }',
    });
    expect(alarmsOn('UploadsSetAside').map(([, { Properties }]) => Properties['Threshold'])).toEqual([1]);
  });

  test('measures the backlog of every kind, and wakes somebody when it grows old', () => {
    for (const metric of ['Owed', 'OwedOldestSeconds'])
      expect(filterOf(metric)).toMatchObject({
        FilterPattern: '{ $.message = "sweep found overdue work" }',
        MetricTransformations: [{ Dimensions: [{ Key: 'kind', Value: '$.kind' }] }],
      });
    const kinds = alarmsOn('OwedOldestSeconds').map(([, { Properties }]) => Properties['Dimensions']);
    expect(kinds).toEqual(['sync', ...sweptKinds].map((kind) => [{ Name: 'kind', Value: kind }]));
  });

  test('wakes somebody when what runs every minute does not run', () => {
    const silent = alarmsOn('Invocations').filter(
      ([, { Properties }]) => Properties['TreatMissingData'] === 'breaching',
    );
    expect(silent.map(([id]) => nameOf(template, id))).toEqual(['PollFunctionSilentAlarm', 'SweepFunctionSilentAlarm']);
  });

  test('counts the troubles with vendors, over all of them and by provider, each with one alarm', () => {
    const filters = ofType(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    const alarms = ofType(template, 'AWS::CloudWatch::Alarm').map(([id]) => nameOf(template, id));
    const troubles = Object.values(vendorTroubles).flatMap((each) => each ?? []);
    expect(troubles).toHaveLength(9);
    for (const { name, lines } of troubles) {
      const own = filters.filter((filter) => JSON.stringify(filter['MetricTransformations']).includes(`"${name}"`));
      expect(own.map((filter) => JSON.stringify(filter).includes('$.provider')).toSorted()).toEqual([false, true]);
      for (const filter of own)
        for (const { says } of lines) expect(filter['FilterPattern']).toContain(`$.message = "${says}"`);
      expect(alarms).toContain(`${name}Alarm`);
    }
    expect(filterOf('VendorsAway')?.['FilterPattern']).toBe(
      '{ ($.message = "provider_unavailable") && ($.failures >= 3) }',
    );
  });
});

describe('the settings of a function', () => {
  const variablesOf = (template: Template, spec: FunctionSpec): string[] => {
    const [, found] =
      ofType(template, 'AWS::Lambda::Function').find(([, f]) => f.Properties['Description'] === spec.whenItFails) ?? [];
    const environment = found?.Properties['Environment'];
    const variables =
      environment && typeof environment === 'object' && 'Variables' in environment ? environment.Variables : {};
    return Object.keys(variables ?? {}).toSorted();
  };

  test('are those that its work needs and no others', async () => {
    const template = await synthesize({ functions, queues });
    expect(variablesOf(template, functions.home)).toEqual(['DAYBOOK_PLACE', 'DAYBOOK_TABLE']);
    expect(variablesOf(template, functions.publisher)).toEqual(['DAYBOOK_BUS', 'DAYBOOK_PLACE', 'DAYBOOK_TABLE']);
    expect(variablesOf(template, functions.people)).toEqual([
      'DAYBOOK_PLACE',
      'DAYBOOK_QUEUE_ERASE',
      'DAYBOOK_SECRET_ID',
      'DAYBOOK_TABLE',
    ]);
  });

  test('name the public address when the API has a domain of its own', async () => {
    const template = await synthesize({ functions, queues }, { ...forKeeps, baseUrl: 'https://api.example.org' });
    expect(variablesOf(template, functions.home)).toContain('DAYBOOK_BASE_URL');
    expect(variablesOf(template, functions.sweep)).not.toContain('DAYBOOK_BASE_URL');
  });
});

describe('a deployment may differ', () => {
  test('a test deployment leaves nothing behind', async () => {
    const template = await synthesize({ functions, queues }, { ephemeral: true, emulator: false });
    const kept = Object.entries(template.Resources).filter(([, resource]) => resource.DeletionPolicy === 'Retain');
    expect(kept).toEqual([]);
    const [[, table] = []] = ofType(template, 'AWS::DynamoDB::Table');
    expect(table?.Properties['DeletionProtectionEnabled']).toBe(false);
  });

  test('the emulator goes without nothing', async () => {
    const full = await synthesize({ functions, queues }, { ephemeral: true, emulator: false });
    const emulated = await synthesize({ functions, queues }, { ephemeral: true, emulator: true });
    expect(Object.keys(emulated.Resources).sort()).toEqual(Object.keys(full.Resources).sort());
  });

  test('alarms tell the topic that is named', async () => {
    const alarmTopicArn = 'arn:aws:sns:eu-central-1:111122223333:on-call';
    const template = await synthesize({ functions, queues }, { ...forKeeps, alarmTopicArn });
    Assertions.fromJSON(template).allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: [alarmTopicArn] });
  });
});

describe('a mistake in the map is refused', () => {
  test('a queue that nobody reads', async () => {
    const { eraser: _, ...rest } = functions;
    await expect(synthesize({ functions: rest, queues })).rejects.toThrow('The queue erase needs exactly one function');
  });

  test('a path that two functions claim', async () => {
    const twice: Record<string, FunctionSpec> = { ...functions, twin: functions.people };
    await expect(synthesize({ functions: twice, queues })).rejects.toThrow(
      /people and twin have routes on \/v1\/people/,
    );
  });

  test('an API without a fallback', async () => {
    const { home: _, ...rest } = functions;
    await expect(synthesize({ functions: rest, queues })).rejects.toThrow('fallback');
  });
});
