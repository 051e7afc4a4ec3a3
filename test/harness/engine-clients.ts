// SDK clients for local engines, and a hook around each of their calls.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { localConnection } from '../../infra/local/engines/connection.ts';
import { clientConfig } from '../../shared/platform/aws/client-config.ts';

export const localDynamoDb = (endpoint: string) =>
  new DynamoDBClient(clientConfig('dynamodb', localConnection(endpoint)));

export const localEventBridge = (endpoint: string) =>
  new EventBridgeClient(clientConfig('events', localConnection(endpoint)));

/** `wrap` decides when, and how often, the same call is sent. */
export function wrapCalls(
  client: DynamoDBClient,
  wrap: <T>(operation: string, send: () => Promise<T>) => Promise<T>,
): DynamoDBClient {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        wrap(commandName.replace(/Command$/, ''), () => next(args)),
    { step: 'initialize', name: 'aroundCalls' },
  );
  return client;
}
