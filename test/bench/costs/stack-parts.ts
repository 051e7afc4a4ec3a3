// The cost of an idle deployment, on demand and provisioned, counted from the templates that the
// function manifest synthesizes.
import { functions, queues } from '../../../infra/functions.ts';
import { permanentOptions, synthesize } from '../../infra/cloud/synthesize.ts';
import {
  countAlarmMetrics,
  referenceText,
  resourceName,
  resourcesOfType,
  type Template,
} from '../../infra/cloud/template.ts';
import type { Capacity } from './dollars.ts';
import {
  alarmsPerPolicy,
  alwaysFree,
  idlePolls,
  idleRequestsPerMonth,
  prices,
  secondsPerMonth,
  smallestCapacity,
  tableKeyCallsPerMonth,
} from './prices.ts';

export interface StackPart {
  name: string;
  /** Totals per month. */
  counts: Readonly<Record<Capacity, number>>;
  dollars: Readonly<Record<Capacity, number>>;
  /** The part of the cost that the monthly free tier covers. */
  free: number;
}

interface ResourceCount {
  name: string;
  count: number;
  dollars: number;
  free?: number;
}

export async function measureStackParts(): Promise<StackPart[]> {
  const onDemand = countResources(await synthesize({ functions, queues }));
  const options = { ...permanentOptions, provisioned: smallestCapacity };
  const provisioned = countResources(await synthesize({ functions, queues }, options));
  return onDemand.map(({ name, count, dollars, free = 0 }, at) => {
    const other = provisioned[at];
    if (other?.name !== name) throw new Error(`${name} is counted in one template only`);
    return {
      name,
      counts: { onDemand: count, provisioned: other.count },
      dollars: { onDemand: dollars, provisioned: other.dollars },
      free,
    };
  });
}

function countResources(template: Template): ResourceCount[] {
  const policies = resourcesOfType(template, 'AWS::ApplicationAutoScaling::ScalingPolicy').length;
  const alarms =
    policies * alarmsPerPolicy +
    resourcesOfType(template, 'AWS::CloudWatch::Alarm').reduce(
      (sum, [, { Properties }]) => sum + countAlarmMetrics(Properties),
      0,
    );
  const keys = resourcesOfType(template, 'AWS::KMS::Key').length;
  const secrets = resourcesOfType(template, 'AWS::SecretsManager::Secret').length;
  const polled = polledQueues(template);
  // Functions that run without traffic: the schedules.
  const awake = resourcesOfType(template, 'AWS::Events::Rule').filter(
    ([, rule]) => 'ScheduleExpression' in rule.Properties,
  );
  const keyCalls = awake.length * tableKeyCallsPerMonth;
  const requests = polled.reduce((sum, { requestsAMonth }) => sum + requestsAMonth, 0);
  const capacities = listCapacities(template);
  return [
    {
      name: 'alarms, by the metrics they watch',
      count: alarms,
      dollars: alarms * prices.alarmMonth,
      free: Math.min(alarms, alwaysFree.alarmMetrics) * prices.alarmMonth,
    },
    { name: 'keys', count: keys, dollars: keys * prices.kms.keyMonth },
    {
      name: 'calls for the key of the table',
      count: keyCalls,
      dollars: keyCalls * prices.kms.call,
      free: Math.min(keyCalls, alwaysFree.kmsCalls) * prices.kms.call,
    },
    { name: 'secrets', count: secrets, dollars: secrets * prices.secretMonth },
    {
      name: 'queues that are polled',
      count: polled.length,
      dollars: polled.reduce((sum, { requestsAMonth, price }) => sum + requestsAMonth * price, 0),
      free: Math.min(requests, alwaysFree.queueRequests) * prices.queueRequest.standard,
    },
    { name: 'provisioned capacity', count: capacities.length, dollars: dollarsOfCapacity(capacities) },
  ];
}

function polledQueues(template: Template): { requestsAMonth: number; price: number }[] {
  const queuesWithArn = resourcesOfType(template, 'AWS::SQS::Queue').map(([id, queue]) => ({
    arn: `${resourceName(template, id)}.Arn`,
    queue,
  }));
  return resourcesOfType(template, 'AWS::Lambda::EventSourceMapping').flatMap(([, { Properties }]) => {
    const source = referenceText(template, Properties['EventSourceArn']);
    const { queue } = queuesWithArn.find(({ arn }) => arn === source) ?? {};
    if (!queue) return [];
    const isFifo = queue.Properties['FifoQueue'] === true;
    const hasCeiling = 'ScalingConfig' in Properties;
    const pollers = isFifo || hasCeiling ? idlePolls.pollers : idlePolls.pollersWithoutCeiling;
    return { requestsAMonth: idleRequestsPerMonth(pollers), price: prices.queueRequest[isFifo ? 'fifo' : 'standard'] };
  });
}

/** The provisioned capacity of the table and of each of its indexes. */
function listCapacities(template: Template): { write: number; read: number }[] {
  return resourcesOfType(template, 'AWS::DynamoDB::Table').flatMap(([, { Properties }]) => {
    const { GlobalSecondaryIndexes: indexes } = Properties;
    return [Properties, ...(Array.isArray(indexes) ? indexes : [])].flatMap(({ ProvisionedThroughput: throughput }) =>
      isThroughput(throughput) ? [{ write: throughput.WriteCapacityUnits, read: throughput.ReadCapacityUnits }] : [],
    );
  });
}

const isThroughput = (throughput: unknown): throughput is { WriteCapacityUnits: number; ReadCapacityUnits: number } =>
  typeof throughput === 'object' &&
  throughput !== null &&
  'WriteCapacityUnits' in throughput &&
  'ReadCapacityUnits' in throughput;

function dollarsOfCapacity(capacities: readonly { write: number; read: number }[]): number {
  const { write, read } = prices.table.provisionedHour;
  const hour = capacities.reduce((sum, each) => sum + each.write * write + each.read * read, 0);
  return (hour * secondsPerMonth) / 3_600;
}
