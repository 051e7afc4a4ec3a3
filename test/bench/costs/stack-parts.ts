// What a deployment costs while nobody uses it: counted in the template that the map makes.
import { functions, queues } from '../../../infra/functions.ts';
import { synthesize } from '../../infra/cloud/synthesize.ts';
import { metricsOf, ofType, type Template, textOf } from '../../infra/cloud/template.ts';
import type { Capacity } from './dollars.ts';
import {
  idlePolls,
  idleRequestsAMonth,
  leastProvisioned,
  prices,
  secondsAMonth,
  tableKeyCallsAMonth,
} from './prices.ts';

export interface StackPart {
  name: string;
  count: number;
  /** All of them, each month. */
  dollars: Readonly<Record<Capacity, number>>;
}

const same = (dollars: number) => ({ onDemand: dollars, provisioned: dollars });

export async function stackParts(): Promise<StackPart[]> {
  const template = await synthesize({ functions, queues });
  const alarms = ofType(template, 'AWS::CloudWatch::Alarm').reduce(
    (sum, [, { Properties }]) => sum + metricsOf(Properties),
    0,
  );
  const keys = ofType(template, 'AWS::KMS::Key').length;
  const secrets = ofType(template, 'AWS::SecretsManager::Secret').length;
  const { standard, fifo } = polledQueues(template);
  const polled = idleRequestsAMonth * (standard * prices.queueRequest.standard + fifo * prices.queueRequest.fifo);
  // Those that are at work without anybody: the schedules.
  const awake = Object.values(functions).filter(({ trigger }) => trigger.kind === 'schedule').length;
  return [
    { name: 'alarms, by the metrics they watch', count: alarms, dollars: same(alarms * prices.alarmMonth) },
    { name: 'keys', count: keys, dollars: same(keys * prices.kms.keyMonth) },
    {
      name: 'calls for the key of the table',
      count: awake * tableKeyCallsAMonth,
      dollars: same(awake * tableKeyCallsAMonth * prices.kms.call),
    },
    { name: 'secrets', count: secrets, dollars: same(secrets * prices.secretMonth) },
    {
      name: `queues that are polled, ${idlePolls.pollers} pollers of ${idlePolls.seconds} s each`,
      count: standard + fifo,
      dollars: same(polled),
    },
    { name: 'capacity that stands there', count: capacities(template), dollars: leastCapacity(template) },
  ];
}

function polledQueues(template: Template): { standard: number; fifo: number } {
  const arns = ofType(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) =>
    textOf(template, Properties['EventSourceArn']),
  );
  const isPolled = (id: string) => arns.includes(textOf(template, { 'Fn::GetAtt': [id, 'Arn'] }));
  const polled = ofType(template, 'AWS::SQS::Queue').filter(([id]) => isPolled(id));
  const fifo = polled.filter(([, { Properties }]) => Properties['FifoQueue'] === true).length;
  return { standard: polled.length - fifo, fifo };
}

/** The table, and each of its indexes. */
const capacities = (template: Template): number =>
  ofType(template, 'AWS::DynamoDB::Table').reduce((sum, [, { Properties }]) => {
    const indexes = Properties['GlobalSecondaryIndexes'];
    return sum + 1 + (Array.isArray(indexes) ? indexes.length : 0);
  }, 0);

function leastCapacity(template: Template): Readonly<Record<Capacity, number>> {
  const { write, read } = prices.table.provisionedHour;
  const hour = leastProvisioned.write * write + leastProvisioned.read * read;
  return { onDemand: 0, provisioned: (capacities(template) * hour * secondsAMonth) / 3_600 };
}
