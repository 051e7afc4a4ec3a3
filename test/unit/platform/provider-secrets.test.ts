import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeEach, expect, test, vi } from 'vitest';
import { providerProblems } from '../../../infra/cloud/provider-problems.ts';
import { awsProviderSettings } from '../../../shared/platform/aws/provider-secrets.ts';
import { SettingsUnreadable } from '../../../shared/platform/ports.ts';
import { providerSettingsFromEnvironment } from '../../../shared/platform/provider-settings.ts';
import { frozenClock, type TestClock } from '../../harness/clock.ts';

let clock: TestClock;
let text: string | undefined;
let reads: number;
let log: string[];
let loggedFields: (Record<string, unknown> | undefined)[];
beforeEach(() => {
  clock = frozenClock(Date.UTC(2026, 2, 10));
  text = JSON.stringify({ oura: { client_id: 'a' } });
  reads = 0;
  log = [];
  loggedFields = [];
});

function openSettings() {
  const client = new SecretsManagerClient({ region: 'eu-central-1' });
  vi.spyOn(client, 'send').mockImplementation(async () => {
    reads += 1;
    return { SecretString: text };
  });
  return awsProviderSettings({
    client,
    secretId: 'arn:secret',
    clock,
    log(level, message, fields) {
      log.push(`${level}: ${message}`);
      loggedFields.push(fields);
    },
  });
}

test('the secret is read at most once every five minutes, for any number of readers', async () => {
  const settings = openSettings();
  expect(await Promise.all([settings.get('oura'), settings.get('oura'), settings.get('whoop')])).toEqual([
    { client_id: 'a' },
    { client_id: 'a' },
    undefined,
  ]);
  clock.advance(299_999);
  await settings.get('oura');
  expect(reads).toBe(1);
  text = JSON.stringify({ oura: { client_id: 'b' } });
  clock.advance(1);
  expect(await settings.get('oura')).toEqual({ client_id: 'b' });
});

test('a secret without text configures no provider', async () => {
  text = undefined;
  expect(await openSettings().get('oura')).toBeUndefined();
});

test('the last readable settings stay in use when the secret is unreadable, and it is read again a minute later', async () => {
  const settings = openSettings();
  await settings.get('oura');
  text = '{"oura": {"client_secret": "hush"';
  clock.advance(300_000);
  expect(await settings.get('oura')).toEqual({ client_id: 'a' });
  // A new process would have no settings, so the problem must be reported before that.
  const reported = providerProblems.flatMap(({ lines }) => lines.map(({ code }) => `error: ${code}`));
  expect(log).toEqual(['error: provider_settings_unreadable']);
  expect(reported).toContain(log[0]);
  // The metric by provider counts only lines that name one.
  expect(loggedFields).toEqual([expect.objectContaining({ provider: 'all' })]);
  clock.advance(59_999);
  await settings.get('oura');
  expect(reads).toBe(2);
  text = JSON.stringify({ oura: { client_id: 'c' } });
  clock.advance(1);
  expect(await settings.get('oura')).toEqual({ client_id: 'c' });
});

test.each(['{"oura": {"client_secret": "hush"', 'hush', '["hush"]'])(
  'the error for an unreadable secret never contains its content: %s',
  async (written) => {
    text = written;
    const failure = await openSettings()
      .get('oura')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SettingsUnreadable);
    expect(JSON.stringify([String(failure), failure instanceof Error ? String(failure.cause) : ''])).not.toContain(
      'hush',
    );
    const setting = providerSettingsFromEnvironment({ DAYBOOK_PROVIDER_OURA: 'hush' });
    await expect(setting.get('oura')).rejects.toThrow('The setting DAYBOOK_PROVIDER_OURA is not JSON.');
    expect(await setting.get('whoop')).toBeUndefined();
  },
);
