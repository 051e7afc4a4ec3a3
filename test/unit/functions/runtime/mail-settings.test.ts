// A function with a configured sender mails through SES; one without a sender mails nothing.
import { afterEach, expect, test, vi } from 'vitest';
import { depsFromEnvironment } from '../../../../functions/runtime/deps.ts';
import { EngineUnavailable } from '../../../../shared/platform/ports.ts';
import { answer, scriptedServer } from '../../platform/scripted-server.ts';

afterEach(() => vi.unstubAllEnvs());

const startFunction = (settings: Record<string, string>) => {
  const requiredSettings = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    DAYBOOK_TABLE: 'daybook',
    DAYBOOK_SECRET: 'a root secret that is long enough for a test',
    DAYBOOK_MAIL_SENDER: '',
  };
  for (const [name, value] of Object.entries({ ...requiredSettings, ...settings })) vi.stubEnv(name, value);
  return depsFromEnvironment({ env: process.env });
};
const message = { to: 'ada@example.com', subject: 's', text: 't', html: '<p>t</p>' };

test('mail uses the sender and the configuration set of the settings', async () => {
  await using server = await scriptedServer(answer(200, { MessageId: '0100' }));
  const { mail, deployment } = await startFunction({
    AWS_ENDPOINT_URL_SESV2: server.endpoint,
    DAYBOOK_MAIL_SENDER: 'Team <no-reply@example.com>',
    DAYBOOK_MAIL_CONFIGURATION_SET: 'invitations',
  });
  expect(deployment.mailSender).toBe('Team <no-reply@example.com>');
  await mail.send(message);
  expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([
    expect.objectContaining({
      FromEmailAddress: 'Team <no-reply@example.com>',
      ConfigurationSetName: 'invitations',
    }),
  ]);
});

test('without a sender nothing is sent, and sending fails', async () => {
  await using server = await scriptedServer(answer(200, { MessageId: '0100' }));
  const { mail, deployment } = await startFunction({ AWS_ENDPOINT_URL_SESV2: server.endpoint });
  expect(deployment).not.toHaveProperty('mailSender');
  await expect(mail.send(message)).rejects.toThrow(EngineUnavailable);
  expect(server.requests).toEqual([]);
});
