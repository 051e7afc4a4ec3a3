// What every client of the SDK is made with: `new DynamoDBClient(clientConfig('dynamodb', connection))`.
import type { Connection, ServiceName } from './connection.ts';
import { collectBody, logger, TimedHandler } from './http.ts';
import { decodeBase64 } from './marshal.ts';
import { type Backoff, mostTries, Retries } from './retries.ts';

export interface ClientOptions {
  /** For one try, from the call to the last byte of the answer. Must exceed the wait of a long poll. */
  timeoutMs?: number;
  backoff?: Backoff;
}

export const tableTimeoutMs = 5_000;

const limits: Record<ServiceName, { timeoutMs: number; baseDelay: number }> = {
  dynamodb: { timeoutMs: tableTimeoutMs, baseDelay: 25 },
  streams: { timeoutMs: 10_000, baseDelay: 50 },
  sqs: { timeoutMs: 10_000, baseDelay: 50 },
  events: { timeoutMs: 10_000, baseDelay: 50 },
  secretsmanager: { timeoutMs: 10_000, baseDelay: 50 },
};

export function clientConfig(service: ServiceName, connection: Connection, options: ClientOptions = {}) {
  const { timeoutMs = limits[service].timeoutMs, backoff } = options;
  const { baseDelay } = limits[service];
  const endpoint = connection.endpointOf(service);
  return {
    ...connection.settled,
    region: connection.region,
    credentials: connection.credentials,
    ...(endpoint ? { endpoint } : {}),
    requestHandler: new TimedHandler(timeoutMs),
    maxAttempts: mostTries,
    retryStrategy: new Retries({ maxAttempts: mostTries, baseDelay, ...(backoff ? { backoff } : {}) }),
    streamCollector: collectBody,
    // The SDK's own checks every character first.
    base64Decoder: decodeBase64,
    cacheMiddleware: true,
    logger,
  };
}
