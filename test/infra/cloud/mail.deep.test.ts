import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { DeploymentOptions } from '../../../infra/cloud/deployment-options.ts';
import { functions, queues } from './fixtures/manifest.ts';
import { permanentOptions, synthesize } from './synthesize.ts';
import {
  findWildcardGrants,
  listStatements,
  referenceText,
  resourceName,
  resourcesOfType,
  type Template,
} from './template.ts';

/** The only function of the fixture manifest that sends mail. */
const mailingFunction = 'ListenerFunction';
const withSender: DeploymentOptions = { ...permanentOptions, mailSender: 'Team <no-reply@mail.example.com>' };

const mailStatements = (template: Template) =>
  listStatements(template).filter(({ statement }) => statement.Action.some((action) => action.startsWith('ses:')));
const Variables = z.object({ Variables: z.record(z.string(), z.unknown()) });
const functionEnvironments = (template: Template) =>
  Object.fromEntries(
    resourcesOfType(template, 'AWS::Lambda::Function').map(([id, { Properties }]) => [
      resourceName(template, id),
      Variables.parse(Properties['Environment']).Variables,
    ]),
  );
const functionsWithSetting = (template: Template, setting: string) =>
  Object.entries(functionEnvironments(template)).flatMap(([name, settings]) => (setting in settings ? [name] : []));

test('without a sender the template has no mail resources', async () => {
  const text = JSON.stringify(await synthesize({ functions, queues }));
  for (const word of ['ses:', 'DAYBOOK_MAIL', 'MailRefused', 'MailNotSent']) expect(text).not.toContain(word);
});

describe('with a sender', () => {
  let template: Template;
  beforeAll(async () => {
    template = await synthesize({ functions, queues }, { ...withSender, mailConfigurationSet: 'invitations' });
  }, 120_000);

  test('only the mailing function can send, only as that address and from its identities', () => {
    const [sending, ...others] = mailStatements(template);
    expect(others).toEqual([]);
    expect(sending?.name).toBe(`${mailingFunction}Role`);
    expect(sending?.statement.Action).toEqual(['ses:SendEmail']);
    const ses = 'arn:AWS::Partition:ses:AWS::Region:AWS::AccountId';
    expect(sending?.statement.Resource.map((resource) => referenceText(template, resource))).toEqual([
      `${ses}:configuration-set/invitations`,
      `${ses}:identity/example.com`,
      `${ses}:identity/mail.example.com`,
      `${ses}:identity/no-reply@mail.example.com`,
    ]);
    expect(sending?.statement.Condition).toEqual({
      StringEqualsIgnoreCase: { 'ses:FromAddress': 'no-reply@mail.example.com' },
    });
    expect(findWildcardGrants(template)).toEqual([]);
  });

  test('functions that send mail or return links know the sender, and the mailing function knows the configuration set', () => {
    expect(functionsWithSetting(template, 'DAYBOOK_MAIL_SENDER')).toEqual([
      'PeopleFunction',
      'HomeFunction',
      mailingFunction,
    ]);
    expect(functionsWithSetting(template, 'DAYBOOK_MAIL_CONFIGURATION_SET')).toEqual([mailingFunction]);
    expect(functionEnvironments(template)[mailingFunction]).toMatchObject({
      DAYBOOK_MAIL_SENDER: 'Team <no-reply@mail.example.com>',
      DAYBOOK_MAIL_CONFIGURATION_SET: 'invitations',
    });
  });

  const counting = (metric: string) =>
    resourcesOfType(template, 'AWS::Logs::MetricFilter').flatMap(([, { Properties }]) =>
      JSON.stringify(Properties).includes(`"${metric}"`) ? [Properties.FilterPattern] : [],
    );
  const alarmsOn = (metric: string) =>
    resourcesOfType(template, 'AWS::CloudWatch::Alarm').flatMap(([, { Properties }]) =>
      Properties.MetricName === metric ? [Properties] : [],
    );

  test('an alarm fires immediately when the sender is rejected, and within 15 minutes when no mail is accepted', () => {
    expect(counting('MailNotSent')).toEqual([
      '{ ($.message = "mail_sender_refused") || ($.message = "mail_given_up") || (($.message = "sign_in_mail_given_up") && ($.reason = "mail_unavailable")) || (($.message = "mail_unavailable") && ($.failures >= 3)) || (($.message = "mail_throttled") && ($.pending_seconds >= 900)) }',
    ]);
    expect(alarmsOn('MailNotSent')).toEqual([expect.objectContaining({ Threshold: 1, Period: 300, Statistic: 'Sum' })]);
  });

  test('mail to a wrong address fires no alarm, but a large number of such messages does', () => {
    expect(counting('MailRefused')).toEqual([
      '{ ($.message = "mail_refused") || (($.message = "sign_in_mail_given_up") && ($.reason = "address_invalid")) || (($.message = "sign_in_mail_given_up") && ($.reason = "message_rejected")) }',
    ]);
    expect(alarmsOn('MailRefused')).toEqual([expect.objectContaining({ Threshold: 50, Period: 900 })]);
  });
});

test('the mailing function knows the public address, to build links', async () => {
  const template = await synthesize({ functions, queues }, { ...withSender, baseUrl: 'https://api.example.com' });
  expect(functionsWithSetting(template, 'DAYBOOK_BASE_URL')).toContain(mailingFunction);
});

test('an emulator that checks no identity still lets only that function send', async () => {
  const template = await synthesize({ functions, queues }, { ...withSender, ephemeral: true, emulator: true });
  expect(mailStatements(template).map(({ name, statement }) => [name, statement.Resource])).toEqual([
    [`${mailingFunction}Role`, ['*']],
  ]);
});
