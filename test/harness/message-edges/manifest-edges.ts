// The edges of the function manifest: every way in which one function, or the outside world,
// triggers a function.
import { functions } from '../../../infra/functions.ts';
import type { HostedFunctions } from '../../../infra/local/function-runner.ts';

export const hostedFunctions: HostedFunctions = functions;

export const edgeTo = {
  queue: (sender: string, queue: string) => `${sender} → queue ${queue}`,
  stream: (name: string) => `stream → ${name}`,
  bus: (name: string) => `bus → ${name}`,
  schedule: (name: string) => `schedule → ${name}`,
} as const;

/** Used while a feed fails only, and tried in `test/unit/events/failing-feed.test.ts`. */
const edgesOfFailures: ReadonlySet<string> = new Set([edgeTo.queue('feed', 'feed')]);

export const allEdges: readonly string[] = Object.entries(hostedFunctions)
  .flatMap(([name, { trigger, sends }]) => [
    ...sends.map((queue) => edgeTo.queue(name, queue)),
    ...(trigger.kind === 'stream' || trigger.kind === 'schedule' ? [edgeTo[trigger.kind](name)] : []),
    ...(trigger.kind === 'queue' && trigger.busTypes ? [edgeTo.bus(name)] : []),
  ])
  .filter((edge) => !edgesOfFailures.has(edge));
