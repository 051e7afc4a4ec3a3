// The options of a deployment, read from CDK context flags.
import { RemovalPolicy } from 'aws-cdk-lib';
import type { Node } from 'constructs';
import { parseMailSender } from '../../shared/platform/mail-address.ts';
import { accountConcurrency } from '../function-spec.ts';
import { parseOrigin } from '../parse-origin.ts';

export interface DeploymentOptions {
  /** A test deployment: destroying the stack also destroys the data, the key and the secret. */
  ephemeral: boolean;
  /** Adapts the stack to the emulator: omits what it rejects, and grants what only it requires. */
  emulator: boolean;
  /** The public URL, when the API has its own domain. */
  baseUrl?: string;
  /** The SNS topic that alarms notify. Without one, alarms only appear in CloudWatch. */
  alarmTopicArn?: string;
  /** The account's limit of concurrent Lambda executions, if it differs from the default. */
  concurrentRuns?: number;
  /**
   * The capacity range of the table and of each index, in provisioned mode. Without it, the table
   * is on demand.
   */
  provisioned?: ProvisionedCapacity;
  /**
   * The sender of mail: an identity verified in SES. Without one, nothing is mailed and callers get
   * links.
   */
  mailSender?: string;
  /** The SES configuration set that mail is sent with. It must exist. */
  mailConfigurationSet?: string;
  /**
   * Set to a new value after the contents of the table were replaced by an earlier state: cursors of
   * the events feed that were issued before then expire.
   */
  tableEpoch?: string;
}

export interface ProvisionedCapacity {
  writes: CapacityRange;
  reads: CapacityRange;
}

/** Capacity units per second. */
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
        `The context flag ${name} is "${value}": pass the minimum and maximum units per second, such as 25-1000.`,
      );
    return { min, max };
  };
  const givenUrl = text('baseUrl');
  // Without a slash at the end, because paths are appended to it.
  const baseUrl = givenUrl === undefined ? undefined : parseOrigin(givenUrl);
  if (givenUrl !== undefined && baseUrl === undefined)
    throw new Error(
      `The context flag baseUrl is "${givenUrl}": pass a URL without a path, such as https://api.example.com.`,
    );
  const alarmTopicArn = text('alarmTopicArn');
  const runs = text('concurrentRuns');
  if (runs !== undefined && !/^[1-9]\d{1,5}$/.test(runs))
    throw new Error(
      `The context flag concurrentRuns is "${runs}": pass the account's limit of concurrent executions, such as 3000.`,
    );
  const mailSender = text('mailSender');
  if (mailSender !== undefined && !parseMailSender(mailSender))
    throw new Error(
      `The context flag mailSender is "${mailSender}": pass an address, or a name with an address such as "Team <no-reply@example.com>".`,
    );
  const mailConfigurationSet = text('mailConfigurationSet');
  if (mailConfigurationSet !== undefined && !/^[\w-]{1,64}$/.test(mailConfigurationSet))
    throw new Error(
      `The context flag mailConfigurationSet is "${mailConfigurationSet}": pass the name of an SES configuration set.`,
    );
  if (mailConfigurationSet !== undefined && mailSender === undefined)
    throw new Error('The context flag mailConfigurationSet needs a sender: also pass -c mailSender=….');
  const tableEpoch = text('tableEpoch');
  if (tableEpoch !== undefined && !/^[\w.:-]{1,64}$/.test(tableEpoch))
    throw new Error(
      `The context flag tableEpoch is "${tableEpoch}": pass up to 64 letters, digits or the characters . : _ -, such as 2026-03-12.`,
    );
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
    ...(tableEpoch === undefined ? {} : { tableEpoch }),
    ...(runs === undefined ? {} : { concurrentRuns: Number(runs) }),
    ...(writes && reads ? { provisioned: { writes, reads } } : {}),
  };
}

export const removalPolicy = ({ ephemeral }: DeploymentOptions): RemovalPolicy =>
  ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;

/** The range that Lambda accepts for one queue. */
const [minQueueConcurrency, maxQueueConcurrency] = [2, 1_000];

/** Scales a worker's share to the account's concurrency limit. */
export const scaleConcurrency = (
  maxConcurrency: number,
  { concurrentRuns = accountConcurrency.all }: DeploymentOptions,
): number =>
  Math.min(
    Math.max(Math.floor((maxConcurrency * concurrentRuns) / accountConcurrency.all), minQueueConcurrency),
    maxQueueConcurrency,
  );
