// Clients as the product creates them, for an engine or a stand-in on this machine, with delays
// between tries that a test can afford.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type ClientOptions, clientConfig } from '../../../shared/platform/aws/client-config.ts';
import { type AwsConnection, readAwsConnection, type ServiceName } from '../../../shared/platform/aws/connection.ts';

const backoffMs = 5;
const environment = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

const connectionTo = (endpoint: string) => readAwsConnection({ ...environment, AWS_ENDPOINT_URL: endpoint });
const configOf = (service: ServiceName, endpoint: string) =>
  clientConfig(service, connectionTo(endpoint), { backoffMs });

export const testDynamoDb = (
  endpoint: string,
  options: ClientOptions = {},
  connection: AwsConnection = connectionTo(endpoint),
) => new DynamoDBClient(clientConfig('dynamodb', connection, { backoffMs, ...options }));

export const testSqs = (endpoint: string) => new SQSClient(configOf('sqs', endpoint));

export const testEventBridge = (endpoint: string) => new EventBridgeClient(configOf('events', endpoint));

export const testSecretsManager = (endpoint: string) => new SecretsManagerClient(configOf('secretsmanager', endpoint));

export const testSes = (endpoint: string, options: ClientOptions = {}) =>
  new SESv2Client(clientConfig('ses', connectionTo(endpoint), { backoffMs, ...options }));
