// The queues of this machine: fauxqs inside the host's own process, or the endpoint that the environment names.
import { buildApp } from 'fauxqs';
import * as z from 'zod';
import type { AwsClient } from '../../../shared/engine/aws/client.ts';
import type { EnvironmentVariables } from '../../../shared/engine/aws/connection.ts';
import { localClient, outsideClient, outsideEndpoint } from './connection.ts';

export interface LocalQueue {
  name: string;
  url: string;
  arn: string;
  deadUrl: string;
}

export interface QueueEngine {
  endpoint: string;
  client: AwsClient;
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
    const client = outsideClient('sqs', outside, env);
    const queues = await makeQueues(client, plans);
    return { endpoint: outside, client, queues, ...inspectedByApi(client, queues), stop: async () => {} };
  }
  // Not its own `startFauxqs`: that listens on every interface of the machine.
  const app = buildApp({ logger: false });
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  const client = localClient('sqs', endpoint);
  try {
    const queues = await makeQueues(client, plans);
    const read = async (path: string): Promise<unknown> => (await app.inject(path)).json();
    return { endpoint, client, queues, ...inspectedInProcess(read, queues), stop: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}

const engineName = (queue: string) => `daybook-${queue}`;
const deadName = (queue: string) => `daybook-${queue}-dead`;

async function makeQueues(client: AwsClient, plans: Record<string, QueuePlan>): Promise<Map<string, LocalQueue>> {
  const create = async (name: string, attributes: Record<string, string>) => {
    const { QueueUrl } = await client.call<{ QueueUrl: string }>('CreateQueue', {
      QueueName: name,
      Attributes: attributes,
    });
    const { Attributes } = await client.call<{ Attributes: { QueueArn: string } }>('GetQueueAttributes', {
      QueueUrl,
      AttributeNames: ['QueueArn'],
    });
    return { url: QueueUrl, arn: Attributes.QueueArn };
  };
  const made = await Promise.all(
    Object.entries(plans).map(async ([name, plan]): Promise<[string, LocalQueue]> => {
      const dead = await create(deadName(name), {});
      const own = await create(engineName(name), {
        VisibilityTimeout: `${plan.visibilitySeconds}`,
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: plan.maxReceives }),
      });
      return [name, { name, ...own, deadUrl: dead.url }];
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

function inspectedByApi(client: AwsClient, queues: ReadonlyMap<string, LocalQueue>): Inspection {
  const counted = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'];
  return {
    async busy() {
      for (const { url } of queues.values()) {
        const { Attributes } = await client.call<{ Attributes: Record<string, string> }>('GetQueueAttributes', {
          QueueUrl: url,
          AttributeNames: counted,
        });
        if (counted.some((name) => Number(Attributes[name]) > 0)) return true;
      }
      return false;
    },
    async deadLetters(queue) {
      const { Messages = [] } = await client.call<{ Messages?: { Body: string }[] }>('ReceiveMessage', {
        QueueUrl: queues.get(queue)?.deadUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 0,
      });
      return Messages.map(({ Body }) => JSON.parse(Body));
    },
  };
}
