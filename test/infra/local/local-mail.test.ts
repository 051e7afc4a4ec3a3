// Tests the local mail endpoint with the client that functions use for SES.
import { Agent, get, type IncomingMessage } from 'node:http';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { expect, onTestFinished, test } from 'vitest';
import { localConnection } from '../../../infra/local/engines/connection.ts';
import { startLocalMail } from '../../../infra/local/local-mail.ts';
import { clientConfig } from '../../../shared/platform/aws/client-config.ts';
import { awsMail } from '../../../shared/platform/aws/mail.ts';
import { EngineUnavailable, type MailMessage, MailRefused } from '../../../shared/platform/ports.ts';

const message = { to: 'ada@example.com', subject: 'Grüße', text: 'Hallo\nAda', html: '<p>Hallo</p>' };

async function startMailEndpoint(send: (message: MailMessage) => Promise<void>) {
  const endpoint = await startLocalMail({ send }, () => {});
  onTestFinished(() => endpoint.close());
  const client = new SESv2Client(clientConfig('ses', localConnection(endpoint.url)));
  return { url: endpoint.url, mail: awsMail({ client, sender: 'Team <t@example.com>', configurationSet: undefined }) };
}

test('a message reaches the mailbox as it was sent', async () => {
  const sent: MailMessage[] = [];
  const { mail } = await startMailEndpoint(async (one) => void sent.push(one));
  await mail.send(message);
  expect(sent).toEqual([message]);
});

test('the endpoint closes no idle connection, because a client sends a message only once', async () => {
  const { url } = await startMailEndpoint(async () => {});
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: new Agent({ keepAlive: true }) }, resolve).on('error', reject);
  });
  response.resume();
  expect(response.headers).toMatchObject({ connection: 'keep-alive' });
  expect(response.headers).not.toHaveProperty('keep-alive');
});

test('a message that the mailbox rejects is rejected permanently', async () => {
  const { mail } = await startMailEndpoint(async () => {
    throw new MailRefused('message_rejected', 'no');
  });
  await expect(mail.send(message)).rejects.toThrow(MailRefused);
});

test('a message that the mailbox cannot store now can be sent again', async () => {
  const { mail } = await startMailEndpoint(async () => {
    throw new Error('the disk is full');
  });
  await expect(mail.send(message)).rejects.toThrow(EngineUnavailable);
});

test.each([
  ['another operation', '/v2/email/identities', '{}', 404],
  ['a body that is not a message', '/v2/email/outbound-emails', '{"Content":{}}', 400],
  ['a body that is not JSON', '/v2/email/outbound-emails', 'Dear Ada', 400],
])('%s is rejected, and nothing is sent', async (_what, path, body, status) => {
  const sent: MailMessage[] = [];
  const { url } = await startMailEndpoint(async (one) => void sent.push(one));
  const response = await fetch(url + path, { method: 'POST', body });
  expect([response.status, sent]).toEqual([status, []]);
});
