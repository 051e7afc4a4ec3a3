import { App } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { optionsFromContext } from '../../../infra/cloud/deployment-options.ts';

const options = (context: Record<string, string>) => optionsFromContext(new App({ context }).node);

test('without flags a deployment is kept, on AWS', () => {
  expect(options({})).toEqual({ ephemeral: false, emulator: false });
});

test('flags come as the text of the command line', () => {
  expect(options({ ephemeral: 'true', emulator: 'false', baseUrl: 'https://api.example.org' })).toEqual({
    ephemeral: true,
    emulator: false,
    baseUrl: 'https://api.example.org',
  });
});

test('a mistyped flag is refused instead of being taken for no', () => {
  expect(() => options({ ephemeral: 'yes' })).toThrow('pass -c ephemeral=true or leave it out');
});

test('a sender of mail is an address, with or without a name', () => {
  expect(options({ mailSender: 'Team <no-reply@example.com>', mailConfigurationSet: 'invitations' })).toMatchObject({
    mailSender: 'Team <no-reply@example.com>',
    mailConfigurationSet: 'invitations',
  });
  expect(options({ mailSender: 'no-reply@example.com' })).toMatchObject({ mailSender: 'no-reply@example.com' });
  for (const wrong of ['Team', 'no-reply@example.com, x@example.com', 'no-reply@'])
    expect(() => options({ mailSender: wrong })).toThrow('"Team <no-reply@example.com>"');
});

test('a configuration set has a name, and mail to be sent with it', () => {
  expect(() => options({ mailSender: 'a@example.com', mailConfigurationSet: 'a/b' })).toThrow('mailConfigurationSet');
  expect(() => options({ mailConfigurationSet: 'invitations' })).toThrow('pass -c mailSender');
});

test('an account with more room says so as a number', () => {
  expect(options({ concurrentRuns: '3000' })).toMatchObject({ concurrentRuns: 3_000 });
  for (const wrong of ['many', '1e4', '0', '-5'])
    expect(() => options({ concurrentRuns: wrong })).toThrow('concurrentRuns');
});

test('capacity that is paid by the hour has a least and a most, of writes and of reads', () => {
  expect(options({ provisionedWrites: '25-1000', provisionedReads: '10-500' })).toMatchObject({
    provisioned: { writes: { min: 25, max: 1_000 }, reads: { min: 10, max: 500 } },
  });
  for (const wrong of ['25', '0-10', '20-10', '1-1e3', 'few-many'])
    expect(() => options({ provisionedWrites: wrong, provisionedReads: '10-500' })).toThrow('provisionedWrites');
  expect(() => options({ provisionedReads: '10-500' })).toThrow('or neither');
});
