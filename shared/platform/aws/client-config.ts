// What every client of the SDK is made with: `new DynamoDBClient(clientConfig('dynamodb', connection))`.
import type { AwsConnection, ServiceName } from './connection.ts';
import { decodeBase64 } from './marshal.ts';
import { defaultMaxAttempts, RetryStrategy } from './retries.ts';
import { collectBody, logger, TimedHandler } from './sdk-http-handler.ts';

export interface ClientOptions {
  /** For one try, from the call to the last byte of the answer. Must exceed the wait of a long poll. */
  timeoutMs?: number;
  /** The longest wait before the second try; it doubles with every further one. */
  backoffMs?: number;
  /** One where a second try could do the work twice. */
  maxAttempts?: number;
}

export const tableTimeoutMs = 5_000;
export const tableBackoffMs = 25;

const serviceDefaults: Record<ServiceName, { timeoutMs: number; backoffMs: number; maxAttempts?: number }> = {
  dynamodb: { timeoutMs: tableTimeoutMs, backoffMs: tableBackoffMs },
  streams: { timeoutMs: 10_000, backoffMs: 50 },
  sqs: { timeoutMs: 10_000, backoffMs: 50 },
  events: { timeoutMs: 10_000, backoffMs: 50 },
  secretsmanager: { timeoutMs: 10_000, backoffMs: 50 },
  kms: { timeoutMs: 5_000, backoffMs: 50 },
  // A mail whose answer is lost may be under way; whoever owes it tries again, later.
  ses: { timeoutMs: 8_000, backoffMs: 50, maxAttempts: 1 },
};

export function clientConfig(service: ServiceName, connection: AwsConnection, options: ClientOptions = {}) {
  const { timeoutMs, backoffMs, maxAttempts = defaultMaxAttempts } = { ...serviceDefaults[service], ...options };
  const endpoint = connection.endpointOf(service);
  return {
    ...connection.sdkSettings,
    region: connection.region,
    credentials: connection.credentials,
    ...(endpoint ? { endpoint } : {}),
    requestHandler: new TimedHandler(timeoutMs),
    maxAttempts: maxAttempts,
    retryStrategy: new RetryStrategy(backoffMs, maxAttempts),
    streamCollector: collectBody,
    // The SDK's own checks every character first.
    base64Decoder: decodeBase64,
    cacheMiddleware: true,
    // A queue's URL names the ordinary host, also where functions are to use FIPS endpoints.
    useQueueUrlAsEndpoint: false,
    logger,
  };
}
