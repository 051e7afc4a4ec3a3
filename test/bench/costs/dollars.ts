// Converts usage to dollars.
import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { sealsTokens } from '../../../infra/function-spec.ts';
import { functions } from '../../../infra/functions.ts';
import { gigabytesPerCpu, kmsCallsPerMessage, lambdaTime, prices } from './prices.ts';
import type { Counter, Counts, Usage } from './usage.ts';

export type Capacity = 'onDemand' | 'provisioned';

const specs: Record<string, FunctionSpec> = functions;
const gigabyte = 1e9;

export const dollarsOf = (usage: Usage, capacity: Capacity = 'onDemand'): number =>
  Object.entries(usage).reduce((sum, [name, counts]) => sum + dollarsOfFunction(name, counts, capacity), 0);

/** The cost of CPU time that is not waiting, in addition to what every run is billed. */
export const dollarsOfCpu = (seconds: number): number => seconds * gigabytesPerCpu * prices.lambda.gigabyteSecond;

function dollarsOfFunction(name: string, counts: Counts, capacity: Capacity): number {
  const spec = specs[name];
  if (!spec) throw new Error(`the function manifest has no function ${name}`);
  const of = (what: Counter): number => counts[what] ?? 0;
  const { write, read } = prices.table[capacity];
  const table = (of('writeUnits') + of('refusedUnits')) * write + of('readUnits') * read;
  const gigabyteSeconds = billedSeconds(spec, counts) * (spec.memoryMb / 1024);
  const lambda = of('runs') * prices.lambda.run + gigabyteSeconds * prices.lambda.gigabyteSecond;
  const http = spec.trigger.kind === 'http' ? of('runs') * prices.httpRequest : 0;
  const queues = of('standardRequests') * prices.queueRequest.standard + of('fifoRequests') * prices.queueRequest.fifo;
  const kms = sealsTokens(spec) ? of('messages') * kmsCallsPerMessage * prices.kms.call : 0;
  const logs = (of('logBytes') / gigabyte) * prices.logGigabyte;
  return table + lambda + http + queues + of('busEntries') * prices.busEntry + kms + logs;
}

function billedSeconds({ calls = [], trigger }: FunctionSpec, counts: Counts): number {
  const of = (what: Counter): number => counts[what] ?? 0;
  // The event source mapping makes the receive and delete requests, not the run.
  const sends = of('standardRequests') + of('fifoRequests') - (of('messages') > 0 ? 2 * of('runs') : 0);
  const waiting =
    trigger.kind === 'http'
      ? 0
      : of('messages') *
        ((calls.includes('webhooks') ? lambdaTime.webhook : 0) +
          (calls.includes('providers') ? lambdaTime.provider : 0));
  const milliseconds =
    of('runs') * lambdaTime.run +
    of('tableCalls') * lambdaTime.tableCall +
    Math.max(0, sends) * lambdaTime.queueRequest +
    of('busEntries') * lambdaTime.busEntry +
    waiting;
  return milliseconds / 1_000;
}
