// The triggers of the function manifest as the simulation needs them: which changes and events
// invoke a function, and which messages are processed in order.
import * as z from 'zod';
import { functions, queues } from '../../../infra/functions.ts';
import * as messages from '../../../shared/system/jobs.ts';
import type { Change } from './charged-table.ts';

const Trigger = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('http') }),
  z.object({
    kind: z.literal('queue'),
    queue: z.string(),
    batchSize: z.number(),
    maxConcurrency: z.number().default(1_000),
    /** Bus events whose details a rule puts into the queue. */
    busTypes: z.array(z.string()).optional(),
  }),
  z.object({
    kind: z.literal('stream'),
    batchSize: z.number(),
    windowSeconds: z.number().default(0),
    skPrefixes: z.array(z.string()).optional(),
    changes: z.array(z.string()).optional(),
    attribute: z.string().optional(),
  }),
  z.object({ kind: z.literal('bus'), types: z.array(z.string()) }),
  z.object({ kind: z.literal('schedule'), everyMinutes: z.number() }),
]);
type Trigger = z.infer<typeof Trigger>;
export type TriggerOf<Kind extends Trigger['kind']> = Extract<Trigger, { kind: Kind }>;

const parsedTriggers = Object.entries(functions).map(([name, { trigger, timeoutSeconds }]) => ({
  name,
  timeoutSeconds,
  trigger: Trigger.parse(trigger),
}));

export function functionsWithTrigger<Kind extends Trigger['kind']>(
  kind: Kind,
): { name: string; timeoutSeconds: number; trigger: TriggerOf<Kind> }[] {
  const isKind = (trigger: Trigger): trigger is TriggerOf<Kind> => trigger.kind === kind;
  return parsedTriggers.flatMap(({ name, timeoutSeconds, trigger }) =>
    isKind(trigger) ? [{ name, timeoutSeconds, trigger }] : [],
  );
}

export const queueNames = Object.keys(queues);

export function matchesTrigger(
  { skPrefixes, changes, attribute }: TriggerOf<'stream'>,
  { name, sk, after }: Change,
): boolean {
  if (!after || (changes && !changes.includes(name))) return false;
  if (attribute !== undefined && typeof after[attribute] !== 'string') return false;
  return skPrefixes?.some((prefix) => sk.startsWith(prefix)) ?? true;
}

const jobExports = new Map<string, unknown>(Object.entries(messages));
const functionNamed = (name: string): ((...args: unknown[]) => unknown) => {
  const exported = jobExports.get(name);
  return typeof exported === 'function' ? (...args) => exported(...args) : () => undefined;
};
const [isFifoQueue, getMessageGroupId] = [functionNamed('isFifoQueue'), functionNamed('getMessageGroupId')];

/** Messages of a group are processed one at a time. Messages of standard queues have no group. */
export function messageGroupOf(queue: string, body: unknown): string | undefined {
  const group = isFifoQueue(queue) === true ? getMessageGroupId(queue, body) : undefined;
  return typeof group === 'string' ? group : undefined;
}
