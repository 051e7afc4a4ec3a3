// A Lambda function is built with its first call; if that fails, the next call tries again.
import { afterEach, expect, test, vi } from 'vitest';
import { lambda } from '../../../../functions/runtime/lambda.ts';
import { settingNames } from '../../../../shared/platform/setting-names.ts';

afterEach(() => vi.unstubAllEnvs());

test('a function whose first call found no settings serves the next one and is built once', async () => {
  let buildCount = 0;
  const handler = lambda<string, string>((deps) => {
    buildCount++;
    return async (event) => `${event} in ${deps.deployment.kind}`;
  });
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv(settingNames.table, '');
  await expect(handler('first')).rejects.toThrow(settingNames.table);
  vi.stubEnv(settingNames.table, 'a-table');
  vi.stubEnv(settingNames.runtime, 'aws');
  expect([await handler('second'), await handler('third')]).toEqual(['second in aws', 'third in aws']);
  expect(buildCount).toBe(1);
});
