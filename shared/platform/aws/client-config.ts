// The configuration of every SDK client: `new DynamoDBClient(clientConfig('dynamodb',
// connection))`.
import type { AwsConnection, ServiceName } from './connection.ts';
import { decodeBase64 } from './marshal.ts';
import { defaultMaxAttempts, RetryStrategy } from './retries.ts';
import { collectBody, logger, TimedHandler } from './sdk-http-handler.ts';

export interface ClientOptions {
  /**
   * For one attempt, from the call to the last byte of the response. Must exceed the wait time of a
   * long poll.
   */
  timeoutMs?: number;
  /** The longest delay before the second attempt; it doubles with every further attempt. */
  backoffMs?: number;
  /** Use 1 if a second attempt could do the work twice. */
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
  // A message whose response is lost may have been sent; the sender retries it later.
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
    // The SDK's own decoder first checks every character.
    base64Decoder: decodeBase64,
    cacheMiddleware: true,
    // A queue's URL contains the standard host, even if functions should use FIPS endpoints.
    useQueueUrlAsEndpoint: false,
    logger,
  };
}
