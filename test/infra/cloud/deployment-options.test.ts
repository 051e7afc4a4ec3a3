import { App } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { optionsFromContext } from '../../../infra/cloud/deployment-options.ts';

const options = (context: Record<string, string>) => optionsFromContext(new App({ context }).node);

test('without flags a deployment is permanent and on AWS', () => {
  expect(options({})).toEqual({ ephemeral: false, emulator: false });
});

test('flags are command line text', () => {
  expect(options({ ephemeral: 'true', emulator: 'false', baseUrl: 'https://api.example.org' })).toEqual({
    ephemeral: true,
    emulator: false,
    baseUrl: 'https://api.example.org',
  });
});

test('the base URL is stored without a slash at the end, and has no path', () => {
  expect(options({ baseUrl: 'https://api.example.org/' })).toMatchObject({ baseUrl: 'https://api.example.org' });
  for (const wrong of [
    'api.example.org',
    'https://api.example.org/v1',
    'https://api.example.org/?a',
    'ftp://a.example',
  ])
    expect(() => options({ baseUrl: wrong })).toThrow('pass a URL without a path');
});

test('an empty flag counts as left out', () => {
  const names = ['ephemeral', 'baseUrl', 'alarmTopicArn', 'concurrentRuns', 'mailSender', 'mailConfigurationSet'];
  const empty = [...names, 'tableEpoch', 'provisionedWrites', 'provisionedReads'].map((name) => [name, ''] as const);
  expect(options(Object.fromEntries(empty))).toEqual(options({}));
});

test('a mistyped flag is rejected instead of being read as false', () => {
  expect(() => options({ ephemeral: 'yes' })).toThrow('pass -c ephemeral=true or leave it out');
});

test('a mail sender is an address, with or without a name', () => {
  expect(options({ mailSender: 'Team <no-reply@example.com>', mailConfigurationSet: 'invitations' })).toMatchObject({
    mailSender: 'Team <no-reply@example.com>',
    mailConfigurationSet: 'invitations',
  });
  expect(options({ mailSender: 'no-reply@example.com' })).toMatchObject({ mailSender: 'no-reply@example.com' });
  for (const wrong of ['Team', 'no-reply@example.com, x@example.com', 'no-reply@'])
    expect(() => options({ mailSender: wrong })).toThrow('"Team <no-reply@example.com>"');
});

test('a configuration set has a name, and requires a mail sender', () => {
  expect(() => options({ mailSender: 'a@example.com', mailConfigurationSet: 'a/b' })).toThrow('mailConfigurationSet');
  expect(() => options({ mailConfigurationSet: 'invitations' })).toThrow('pass -c mailSender');
});

test('a higher concurrency limit is passed as a number', () => {
  expect(options({ concurrentRuns: '3000' })).toMatchObject({ concurrentRuns: 3_000 });
  for (const wrong of ['many', '1e4', '0', '-5'])
    expect(() => options({ concurrentRuns: wrong })).toThrow('concurrentRuns');
});

test('provisioned capacity has a minimum and a maximum, for writes and for reads', () => {
  expect(options({ provisionedWrites: '25-1000', provisionedReads: '10-500' })).toMatchObject({
    provisioned: { writes: { min: 25, max: 1_000 }, reads: { min: 10, max: 500 } },
  });
  for (const wrong of ['25', '0-10', '20-10', '1-1e3', 'few-many'])
    expect(() => options({ provisionedWrites: wrong, provisionedReads: '10-500' })).toThrow('provisionedWrites');
  expect(() => options({ provisionedReads: '10-500' })).toThrow('or neither');
});

test('a table epoch is a short text', () => {
  expect(options({ tableEpoch: '2026-03-12T10:00' })).toMatchObject({ tableEpoch: '2026-03-12T10:00' });
  expect(options({})).not.toHaveProperty('tableEpoch');
  for (const wrong of ['two words', 'a/b', 'x'.repeat(65)])
    expect(() => options({ tableEpoch: wrong })).toThrow('The context flag tableEpoch is');
});
