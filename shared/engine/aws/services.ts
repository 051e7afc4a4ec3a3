// The AWS services this product speaks to; all of them take JSON by POST.

export interface ServiceSpec {
  /** The first part of the host name. */
  host: string;
  signingName: string;
  targetPrefix: string;
  jsonVersion: '1.0' | '1.1';
  timeoutMs: number;
  backoffMs: number;
}

export const services = {
  dynamodb: {
    host: 'dynamodb',
    signingName: 'dynamodb',
    targetPrefix: 'DynamoDB_20120810',
    jsonVersion: '1.0',
    timeoutMs: 5_000,
    backoffMs: 25,
  },
  streams: {
    host: 'streams.dynamodb',
    signingName: 'dynamodb',
    targetPrefix: 'DynamoDBStreams_20120810',
    jsonVersion: '1.0',
    timeoutMs: 10_000,
    backoffMs: 50,
  },
  sqs: {
    host: 'sqs',
    signingName: 'sqs',
    targetPrefix: 'AmazonSQS',
    jsonVersion: '1.0',
    timeoutMs: 10_000,
    backoffMs: 50,
  },
  events: {
    host: 'events',
    signingName: 'events',
    targetPrefix: 'AWSEvents',
    jsonVersion: '1.1',
    timeoutMs: 10_000,
    backoffMs: 50,
  },
  secretsmanager: {
    host: 'secretsmanager',
    signingName: 'secretsmanager',
    targetPrefix: 'secretsmanager',
    jsonVersion: '1.1',
    timeoutMs: 10_000,
    backoffMs: 50,
  },
} as const satisfies Record<string, ServiceSpec>;

export type ServiceName = keyof typeof services;

export function publicEndpoint(service: ServiceName, region: string): string {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://${services[service].host}.${region}.${suffix}`;
}
