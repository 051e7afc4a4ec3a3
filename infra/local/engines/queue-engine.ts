// The queues of this machine: fauxqs inside the host's own process, or the endpoint that the environment names.
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import * as z from 'zod';
import { clientConfig } from '../../../shared/platform/aws/client-config.ts';
import type { Connection, EnvironmentVariables } from '../../../shared/platform/aws/connection.ts';
import { isOrdered } from '../../../shared/system/jobs.ts';
import { localConnection, outsideConnection, outsideEndpoint } from './connection.ts';

export interface LocalQueue {
  name: string;
  url: string;
  arn: string;
  deadUrl: string;
  ordered: boolean;
}

export interface QueueEngine {
  endpoint: string;
  client: SQSClient;
  queues: ReadonlyMap<string, LocalQueue>;
  /** Whether any queue holds a message that could be handled now, or is being handled. */
  busy(): Promise<boolean>;
  /** The bodies that gave up, oldest first; they stay where they are. */
  deadLetters(queue: string): Promise<unknown[]>;
  stop(): Promise<void>;
}

export interface QueuePlan {
  maxReceives: number;
  /** How long a message stays with the function that received it. */
  visibilitySeconds: number;
}

export async function startQueueEngine(
  plans: Record<string, QueuePlan>,
  env: EnvironmentVariables,
): Promise<QueueEngine> {
  const outside = outsideEndpoint(env, 'sqs');
  if (outside) {
    const client = clientOver(outsideConnection(outside, env));
    const queues = await makeQueues(client, plans);
    return { endpoint: outside, client, queues, ...inspectedByApi(client, queues), stop: async () => {} };
  }
  // Not its own `startFauxqs`: that listens on every interface of the machine.
  const app = buildApp({ logger: false });
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  const client = clientOver(localConnection(endpoint));
  try {
    const queues = await makeQueues(client, plans);
    const read = async (path: string): Promise<unknown> => (await app.inject(path)).json();
    return { endpoint, client, queues, ...inspectedInProcess(read, queues), stop: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}

const clientOver = (connection: Connection) => new SQSClient(clientConfig('sqs', connection));

/** SQS takes an ordered queue under such a name only, with a dead-letter queue of its kind. */
const suffixOf = (queue: string) => (isOrdered(queue) ? '.fifo' : '');
const engineName = (queue: string) => `daybook-${queue}${suffixOf(queue)}`;
const deadName = (queue: string) => `daybook-${queue}-dead${suffixOf(queue)}`;
const kindOf = (queue: string): Record<string, string> =>
  isOrdered(queue)
    ? { FifoQueue: 'true', FifoThroughputLimit: 'perMessageGroupId', DeduplicationScope: 'messageGroup' }
    : {};

const Made = z.object({ url: z.string(), arn: z.string() });

async function makeQueues(client: SQSClient, plans: Record<string, QueuePlan>): Promise<Map<string, LocalQueue>> {
  const create = async (name: string, attributes: Record<string, string>) => {
    const made = await client.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
    const asked = { QueueUrl: made.QueueUrl, AttributeNames: ['QueueArn' as const] };
    const { Attributes } = await client.send(new GetQueueAttributesCommand(asked));
    return Made.parse({ url: made.QueueUrl, arn: Attributes?.['QueueArn'] });
  };
  const made = await Promise.all(
    Object.entries(plans).map(async ([name, plan]): Promise<[string, LocalQueue]> => {
      const dead = await create(deadName(name), kindOf(name));
      const own = await create(engineName(name), {
        ...kindOf(name),
        VisibilityTimeout: `${plan.visibilitySeconds}`,
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: plan.maxReceives }),
      });
      return [name, { name, ...own, deadUrl: dead.url, ordered: isOrdered(name) }];
    }),
  );
  return new Map(made);
}

type Inspection = Pick<QueueEngine, 'busy' | 'deadLetters'>;

const Counts = z.array(
  z.object({
    name: z.string(),
    approximateMessageCount: z.number(),
    approximateInflightCount: z.number(),
    approximateDelayedCount: z.number(),
  }),
);
const Message = z.object({ body: z.string(), delayUntil: z.number().optional() });
const Inside = z.object({ messages: z.object({ ready: z.array(Message), delayed: z.array(Message) }) });

function inspectedInProcess(
  read: (path: string) => Promise<unknown>,
  queues: ReadonlyMap<string, LocalQueue>,
): Inspection {
  const names = new Set([...queues.keys()].map(engineName));
  const inside = async (name: string) => Inside.parse(await read(`/_fauxqs/queues/${name}`)).messages;
  return {
    async busy() {
      for (const queue of Counts.parse(await read('/_fauxqs/queues'))) {
        if (!names.has(queue.name)) continue;
        if (queue.approximateMessageCount + queue.approximateInflightCount > 0) return true;
        if (queue.approximateDelayedCount === 0) continue;
        const { delayed } = await inside(queue.name);
        if (delayed.some(({ delayUntil = 0 }) => delayUntil <= Date.now())) return true;
      }
      return false;
    },
    deadLetters: async (queue) => (await inside(deadName(queue))).ready.map(({ body }) => JSON.parse(body)),
  };
}

function inspectedByApi(client: SQSClient, queues: ReadonlyMap<string, LocalQueue>): Inspection {
  const counted = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  return {
    async busy() {
      for (const { url } of queues.values()) {
        const asked = { QueueUrl: url, AttributeNames: [...counted] };
        const { Attributes } = await client.send(new GetQueueAttributesCommand(asked));
        if (counted.some((name) => Number(Attributes?.[name]) > 0)) return true;
      }
      return false;
    },
    async deadLetters(queue) {
      const asked = { QueueUrl: queues.get(queue)?.deadUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 };
      const { Messages = [] } = await client.send(new ReceiveMessageCommand(asked));
      return Messages.map(({ Body = '' }) => JSON.parse(Body));
    },
  };
}
