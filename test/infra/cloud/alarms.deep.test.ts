// The alarms of the real manifest: what they count, when they fire, and what they tell an operator.
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../../infra/cli/commands.ts';
import { toPascalCase } from '../../../infra/cloud/names.ts';
import { providerProblems } from '../../../infra/cloud/provider-problems.ts';
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { functions as realFunctions, queues as realQueues } from '../../../infra/functions.ts';
import { readImports } from '../../architecture/imports.ts';
import { filesOfFunction, readLoggedCodes } from '../../architecture/logged-codes.ts';
import { permanentOptions, synthesize } from './synthesize.ts';
import { referenceText, resourceName, resourcesOfType, type Template } from './template.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('alarms', () => {
  let template: Template;
  beforeAll(async () => {
    template = await synthesize({ functions: realFunctions, queues: realQueues });
  }, 120_000);
  const alarmsOn = (metric: string) =>
    resourcesOfType(template, 'AWS::CloudWatch::Alarm').filter(
      ([, { Properties }]) => Properties['MetricName'] === metric,
    );

  test('count everything that is quarantined or retried later, in total and by message, and notify an operator', () => {
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
    expect(metricsOf('sync_crashing')).toEqual([
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

  test('measure how long messages of every FIFO queue waited, as overdue work and by queue, without a metric of their own', () => {
    const filters = resourcesOfType(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    const waits = filters.filter((filter) => filter['FilterPattern'] === '{ $.message = "message_waited_long" }');
    const described = waits.map((filter) => [
      referenceText(template, filter['LogGroupName']),
      JSON.stringify(filter['MetricTransformations']).match(/"MetricName":"(\w+)"/)?.[1],
    ]);
    expect(described.sort()).toEqual(
      ['FeedFunctionLogs', 'SyncFunctionLogs', 'WriteUserFunctionLogs'].flatMap((logs) => [
        [logs, 'PendingOldestSeconds'],
        [logs, 'QueueWaitSeconds'],
      ]),
    );
    for (const filter of waits)
      expect(filter['MetricTransformations']).toEqual([expect.objectContaining({ MetricValue: '$.oldest_seconds' })]);
    expect(alarmsOn('QueueWaitSeconds')).toEqual([]);
  });

  test('fire when one of the FIFO work queues is deep, well before SQS finds no other group in it', () => {
    const [alarm, ...others] = resourcesOfType(template, 'AWS::CloudWatch::Alarm').filter(
      ([id]) => resourceName(template, id) === 'QueueDeepAlarm',
    );
    expect(others).toEqual([]);
    const { Metrics, Threshold } = alarm?.[1].Properties ?? {};
    expect(Threshold).toBe(20_000);
    const depths = Array.isArray(Metrics) ? Metrics.map((each) => JSON.stringify(each)) : [];
    expect(depths.filter((each) => each.includes('"MAX(FILL(METRICS(), 0))"'))).toHaveLength(1);
    for (const queue of ['UserQueue', 'FeedQueue', 'ConnectionQueue'])
      expect(
        depths.filter((each) => each.includes(`"${queue}`) && each.includes('"ApproximateNumberOfMessagesVisible"')),
      ).toHaveLength(1);
  });

  test('fire when a feed is held for more than a moment', () => {
    const filters = resourcesOfType(template, 'AWS::Logs::MetricFilter').map(([, { Properties }]) => Properties);
    const held = filters.filter((filter) =>
      String(filter['FilterPattern']).includes('($.message = "feed_held") && ($.failures >= 3)'),
    );
    expect(held.map((filter) => referenceText(template, filter['LogGroupName']))).toContain('FeedFunctionLogs');
    for (const filter of held) expect(JSON.stringify(filter)).toContain('"UserDataFailing"');
  });

  test('fire when the sweep fails, as any other worker, and when it does not run', () => {
    const crashes = resourcesOfType(template, 'AWS::Logs::MetricFilter').filter(([, { Properties }]) =>
      JSON.stringify(Properties['MetricTransformations']).includes('"WorkersCrashed"'),
    );
    expect(crashes.map(([, { Properties }]) => referenceText(template, Properties['LogGroupName']))).toContain(
      'SweepFunctionLogs',
    );
    const isOfSweep = ({ Properties }: { Properties: Record<string, unknown> }) =>
      JSON.stringify(Properties['Dimensions'] ?? '').includes('"SweepFunction');
    const alarms = resourcesOfType(template, 'AWS::CloudWatch::Alarm').filter(([, alarm]) => isOfSweep(alarm));
    expect(alarms.map(([, { Properties }]) => [Properties['MetricName'], Properties['TreatMissingData']])).toEqual([
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
