// The arrows of the map: everything through which one function sets off another, or the world sets off one.
import { functions } from '../../../infra/functions.ts';
import type { HostedFunctions } from '../../../infra/local/function-runner.ts';

export const hosted: HostedFunctions = functions;

export const arrowTo = {
  queue: (sender: string, queue: string) => `${sender} → queue ${queue}`,
  stream: (name: string) => `stream → ${name}`,
  bus: (name: string) => `bus → ${name}`,
  schedule: (name: string) => `schedule → ${name}`,
} as const;

export const everyArrow: readonly string[] = Object.entries(hosted).flatMap(([name, { trigger, sends }]) => [
  ...sends.map((queue) => arrowTo.queue(name, queue)),
  ...(trigger.kind === 'stream' || trigger.kind === 'schedule' ? [arrowTo[trigger.kind](name)] : []),
  ...(trigger.kind === 'queue' && trigger.busTypes ? [arrowTo.bus(name)] : []),
]);
