import { describe, expect, test } from 'vitest';
import { awsClient } from '../../shared/engine/aws/client.ts';
import { deployment } from './deployment.ts';

describe('a fresh deployment', () => {
  test('answers on /healthz, on the runtime it is built for', async () => {
    const response = await fetch(`${deployment.apiUrl}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'ok', node: expect.stringMatching(/^v24\./) });
  });

  test('shows its reference page, assets and all', async () => {
    const response = await fetch(`${deployment.apiUrl}/docs`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(await response.text()).toContain('</html>');
  });

  test('hands a path of no function to the fallback, which answers 404 as JSON', async () => {
    const response = await fetch(`${deployment.apiUrl}/no/such/path`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/json');
  });

  test.runIf(deployment.enforcesIam)('refuses a caller that holds no grant', async () => {
    const stranger = awsClient({
      service: 'dynamodb',
      region: 'us-east-1',
      endpoint: process.env['AWS_ENDPOINT_URL'],
      credentials: async () => ({ accessKeyId: 'AKIASTRANGER00000000', secretAccessKey: 'unknown' }),
    });
    const looked = stranger.call('GetItem', {
      TableName: deployment.tableName,
      Key: { pk: { S: 'A#0' }, sk: { S: 'ACCOUNT' } },
    });
    await expect(looked).rejects.toThrow(/token|denied|authorized|credential/i);
  });
});
