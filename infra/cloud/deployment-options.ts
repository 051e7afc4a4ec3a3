// What one deployment may decide differently from another, and the context flags of the CDK that say so.
import { RemovalPolicy } from 'aws-cdk-lib';
import type { Node } from 'constructs';
import { parseMailSender } from '../../shared/platform/mail-address.ts';
import { accountConcurrency } from '../function-spec.ts';

export interface DeploymentOptions {
  /** A test deployment: destroying the stack destroys the data, the key and the secret with it. */
  ephemeral: boolean;
  /** Bends to the emulator: leaves out what it refuses, and grants what only it asks for. */
  emulator: boolean;
  /** The public address, when the API has a domain of its own. */
  baseUrl?: string;
  /** The SNS topic that alarms tell; without one they only show in CloudWatch. */
  alarmTopicArn?: string;
  /** How many runs of functions the account has room for at once, where AWS gave it more than usual, or less. */
  concurrentRuns?: number;
  /** What the table, and each index, may scale between, where it is paid by the hour; on demand without it. */
  provisioned?: ProvisionedCapacity;
  /** Who signs mail, an identity that SES has verified; without one nothing is mailed and callers are handed links. */
  mailSender?: string;
  /** The configuration set of SES that mail is sent with; there must be one of that name. */
  mailConfigurationSet?: string;
}

export interface ProvisionedCapacity {
  writes: CapacityRange;
  reads: CapacityRange;
}

/** Units a second. */
export interface CapacityRange {
  min: number;
  max: number;
}

export function optionsFromContext(node: Node): DeploymentOptions {
  const text = (name: string): string | undefined => {
    const value: unknown = node.tryGetContext(name);
    if (value === undefined || value === '') return undefined;
    return String(value);
  };
  const flag = (name: string): boolean => {
    const value = text(name) ?? 'false';
    if (value !== 'true' && value !== 'false') {
      throw new Error(`The context flag ${name} is "${value}": pass -c ${name}=true or leave it out.`);
    }
    return value === 'true';
  };
  const range = (name: string): CapacityRange | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const [min = 0, max = 0] = /^\d{1,6}-\d{1,6}$/.test(value) ? value.split('-').map(Number) : [];
    if (min < 1 || max < min)
      throw new Error(
        `The context flag ${name} is "${value}": pass the least and the most units a second, as in 25-1000.`,
      );
    return { min, max };
  };
  const baseUrl = text('baseUrl');
  const alarmTopicArn = text('alarmTopicArn');
  const runs = text('concurrentRuns');
  if (runs !== undefined && !/^[1-9]\d{1,5}$/.test(runs))
    throw new Error(
      `The context flag concurrentRuns is "${runs}": pass the account's limit of concurrent runs, 3000 for instance.`,
    );
  const mailSender = text('mailSender');
  if (mailSender !== undefined && !parseMailSender(mailSender))
    throw new Error(
      `The context flag mailSender is "${mailSender}": pass an address, or one with a name as in "Team <no-reply@example.com>".`,
    );
  const mailConfigurationSet = text('mailConfigurationSet');
  if (mailConfigurationSet !== undefined && !/^[\w-]{1,64}$/.test(mailConfigurationSet))
    throw new Error(
      `The context flag mailConfigurationSet is "${mailConfigurationSet}": pass the name of a configuration set of SES.`,
    );
  if (mailConfigurationSet !== undefined && mailSender === undefined)
    throw new Error('The context flag mailConfigurationSet needs a sender: pass -c mailSender=… too.');
  const writes = range('provisionedWrites');
  const reads = range('provisionedReads');
  if ((writes === undefined) !== (reads === undefined))
    throw new Error('Pass both -c provisionedWrites=… and -c provisionedReads=…, or neither.');
  return {
    ephemeral: flag('ephemeral'),
    emulator: flag('emulator'),
    ...(baseUrl ? { baseUrl } : {}),
    ...(alarmTopicArn ? { alarmTopicArn } : {}),
    ...(mailSender === undefined ? {} : { mailSender }),
    ...(mailConfigurationSet === undefined ? {} : { mailConfigurationSet }),
    ...(runs === undefined ? {} : { concurrentRuns: Number(runs) }),
    ...(writes && reads ? { provisioned: { writes, reads } } : {}),
  };
}

export const removalPolicy = ({ ephemeral }: DeploymentOptions): RemovalPolicy =>
  ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;

/** What Lambda takes for one queue. */
const [minQueueConcurrency, maxQueueConcurrency] = [2, 1_000];

/** A worker's part of the account's room. */
export const scaleConcurrency = (
  maxConcurrency: number,
  { concurrentRuns = accountConcurrency.all }: DeploymentOptions,
): number =>
  Math.min(
    Math.max(Math.floor((maxConcurrency * concurrentRuns) / accountConcurrency.all), minQueueConcurrency),
    maxQueueConcurrency,
  );
