// The local queues: fauxqs inside the host's process, or the endpoint that the environment names.
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import * as z from 'zod';
import { clientConfig } from '../../../shared/platform/aws/client-config.ts';
import type { AwsConnection, EnvironmentVariables } from '../../../shared/platform/aws/connection.ts';
import { isFifoQueue } from '../../../shared/system/jobs.ts';
import { externalConnection, externalEndpoint, localConnection } from './connection.ts';

export interface LocalQueue {
  name: string;
  url: string;
  arn: string;
  deadLetterUrl: string;
  isFifo: boolean;
  /** How long a received message stays hidden. */
  visibilitySeconds: number;
}

export interface QueueEngine {
  endpoint: string;
  client: SQSClient;
  queues: ReadonlyMap<string, LocalQueue>;
  /** Whether any queue has a message that is ready or being handled. */
  busy(): Promise<boolean>;
  /** The bodies of dead letters, oldest first. They stay in the queue. */
  deadLetters(queue: string): Promise<unknown[]>;
  stop(): Promise<void>;
}

export interface QueuePlan {
  maxReceives: number;
  /** How long a received message stays hidden. */
  visibilitySeconds: number;
}

export async function startQueueEngine(
  plans: Record<string, QueuePlan>,
  env: EnvironmentVariables,
): Promise<QueueEngine> {
  const external = externalEndpoint(env, 'sqs');
  if (external) {
    const client = createClient(externalConnection(external, env));
    const queues = await createQueues(client, plans);
    return { endpoint: external, client, queues, ...inspectByApi(client, queues), stop: async () => {} };
  }
  // The package's own `startFauxqs` listens on every interface of the machine.
  const app = buildApp({ logger: false });
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  const client = createClient(localConnection(endpoint));
  try {
    const queues = await createQueues(client, plans);
    const read = async (path: string): Promise<unknown> => (await app.inject(path)).json();
    return { endpoint, client, queues, ...inspectInProcess(read, queues), stop: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}

const createClient = (connection: AwsConnection) => new SQSClient(clientConfig('sqs', connection));

/** SQS requires this suffix for a FIFO queue, and its dead-letter queue must also be FIFO. */
const fifoSuffix = (queue: string) => (isFifoQueue(queue) ? '.fifo' : '');
const toEngineName = (queue: string) => `daybook-${queue}${fifoSuffix(queue)}`;
const toDeadLetterName = (queue: string) => `daybook-${queue}-dead${fifoSuffix(queue)}`;
const fifoAttributes = (queue: string): Record<string, string> =>
  isFifoQueue(queue)
    ? { FifoQueue: 'true', FifoThroughputLimit: 'perMessageGroupId', DeduplicationScope: 'messageGroup' }
    : {};

const CreatedQueue = z.object({ url: z.string(), arn: z.string() });

async function createQueues(client: SQSClient, plans: Record<string, QueuePlan>): Promise<Map<string, LocalQueue>> {
  const create = async (name: string, attributes: Record<string, string>) => {
    const created = await client.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
    const request = { QueueUrl: created.QueueUrl, AttributeNames: ['QueueArn' as const] };
    const { Attributes } = await client.send(new GetQueueAttributesCommand(request));
    return CreatedQueue.parse({ url: created.QueueUrl, arn: Attributes?.['QueueArn'] });
  };
  const created = await Promise.all(
    Object.entries(plans).map(async ([name, plan]): Promise<[string, LocalQueue]> => {
      const deadLetterQueue = await create(toDeadLetterName(name), fifoAttributes(name));
      const mainQueue = await create(toEngineName(name), {
        ...fifoAttributes(name),
        VisibilityTimeout: `${plan.visibilitySeconds}`,
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadLetterQueue.arn, maxReceiveCount: plan.maxReceives }),
      });
      const { visibilitySeconds } = plan;
      return [
        name,
        { name, ...mainQueue, deadLetterUrl: deadLetterQueue.url, isFifo: isFifoQueue(name), visibilitySeconds },
      ];
    }),
  );
  return new Map(created);
}

type Inspection = Pick<QueueEngine, 'busy' | 'deadLetters'>;

const QueueCounts = z.array(
  z.object({
    name: z.string(),
    approximateMessageCount: z.number(),
    approximateInflightCount: z.number(),
    approximateDelayedCount: z.number(),
  }),
);
const Message = z.object({ body: z.string(), delayUntil: z.number().optional() });
const QueueContents = z.object({ messages: z.object({ ready: z.array(Message), delayed: z.array(Message) }) });

function inspectInProcess(
  read: (path: string) => Promise<unknown>,
  queues: ReadonlyMap<string, LocalQueue>,
): Inspection {
  const names = new Set([...queues.keys()].map(toEngineName));
  const readMessages = async (name: string) => QueueContents.parse(await read(`/_fauxqs/queues/${name}`)).messages;
  return {
    async busy() {
      for (const queue of QueueCounts.parse(await read('/_fauxqs/queues'))) {
        if (!names.has(queue.name)) continue;
        if (queue.approximateMessageCount + queue.approximateInflightCount > 0) return true;
        if (queue.approximateDelayedCount === 0) continue;
        const { delayed } = await readMessages(queue.name);
        if (delayed.some(({ delayUntil = 0 }) => delayUntil <= Date.now())) return true;
      }
      return false;
    },
    deadLetters: async (queue) =>
      (await readMessages(toDeadLetterName(queue))).ready.map(({ body }) => JSON.parse(body)),
  };
}

function inspectByApi(client: SQSClient, queues: ReadonlyMap<string, LocalQueue>): Inspection {
  const countAttributes = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  return {
    async busy() {
      for (const { url } of queues.values()) {
        const request = { QueueUrl: url, AttributeNames: [...countAttributes] };
        const { Attributes } = await client.send(new GetQueueAttributesCommand(request));
        if (countAttributes.some((name) => Number(Attributes?.[name]) > 0)) return true;
      }
      return false;
    },
    async deadLetters(queue) {
      const request = { QueueUrl: queues.get(queue)?.deadLetterUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 };
      const { Messages = [] } = await client.send(new ReceiveMessageCommand(request));
      return Messages.map(({ Body = '' }) => JSON.parse(Body));
    },
  };
}
