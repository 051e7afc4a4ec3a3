import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { clientConfig } from '../../shared/platform/aws/client-config.ts';
import { readAwsConnection } from '../../shared/platform/aws/connection.ts';
import { deployment } from './deployment.ts';

describe('a fresh deployment', () => {
  test('responds on /healthz, on the runtime it is built for', async () => {
    const response = await fetch(`${deployment.apiUrl}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'ok', node: expect.stringMatching(/^v24\./) });
  });

  test('serves its reference page with all assets', async () => {
    const response = await fetch(`${deployment.apiUrl}/docs`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(await response.text()).toContain('</html>');
  });

  test('routes a path without a function to the fallback, which returns a JSON 404', async () => {
    const response = await fetch(`${deployment.apiUrl}/no/such/path`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/json');
  });

  test.runIf(deployment.enforcesIam)('rejects a caller without a grant', async () => {
    const connection = readAwsConnection({
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: process.env['AWS_ENDPOINT_URL'],
      AWS_ACCESS_KEY_ID: 'AKIASTRANGER00000000',
      AWS_SECRET_ACCESS_KEY: 'unknown',
    });
    const outsider = new DynamoDBClient(clientConfig('dynamodb', connection));
    const Key = { pk: { S: 'A#0' }, sk: { S: 'ACCOUNT' } };
    const pendingRead = outsider.send(new GetItemCommand({ TableName: deployment.tableName, Key }));
    await expect(pendingRead).rejects.toThrow(/token|denied|authorized|credential/i);
  });
});
