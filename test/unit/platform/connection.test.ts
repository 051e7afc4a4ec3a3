import { describe, expect, test } from 'vitest';
import { readAwsConnection } from '../../../shared/platform/aws/connection.ts';

describe('the connection', () => {
  test('uses the public endpoints when none is configured', () => {
    const {
      region,
      sdkSettings: settings,
      endpointOf,
    } = readAwsConnection({
      AWS_REGION: 'eu-west-1',
      AWS_DEFAULT_REGION: 'us-east-1',
    });
    expect(region).toBe('eu-west-1');
    expect(settings).toMatchObject({ useFipsEndpoint: false, useDualstackEndpoint: false });
    expect(endpointOf('dynamodb')).toBeUndefined();
  });

  test("prefers a service's own endpoint over the common one", () => {
    const { region, endpointOf } = readAwsConnection({
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:4566',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      AWS_ENDPOINT_URL_DYNAMODB_STREAMS: 'http://127.0.0.1:2',
      AWS_ENDPOINT_URL_EVENTBRIDGE: 'http://127.0.0.1:3',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.1:4',
    });
    expect(region).toBe('us-east-1');
    expect(endpointOf('dynamodb')).toBe('http://127.0.0.1:1');
    expect(endpointOf('streams')).toBe('http://127.0.0.1:2');
    expect(endpointOf('events')).toBe('http://127.0.0.1:3');
    expect(endpointOf('secretsmanager')).toBe('http://127.0.0.1:4');
    expect(endpointOf('sqs')).toBe('http://127.0.0.1:4566');
  });

  test('names the variable to set when the region is missing', () => {
    expect(() => readAwsConnection({})).toThrow(/set AWS_REGION/);
  });

  test('names the variables to set when there are no credentials', async () => {
    const { credentials } = readAwsConnection({ AWS_REGION: 'eu-west-1' });
    await expect(credentials()).rejects.toThrow(/set AWS_ACCESS_KEY_ID/);
  });
});
