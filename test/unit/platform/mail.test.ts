import { describe, expect, test } from 'vitest';
import { formatLogLine } from '../../../functions/runtime/log.ts';
import { awsMail } from '../../../shared/platform/aws/mail.ts';
import { EngineUnavailable, MailRefused, MailThrottled, SenderRefused } from '../../../shared/platform/ports.ts';
import { testSes } from './clients.ts';
import { answer, hangUp, refuse, type Step, scriptedServer, stayMute } from './scripted-server.ts';

const accepted = answer(200, { MessageId: '0100' });
const mailAt = (endpoint: string, options: { sender?: string; configurationSet?: string; timeoutMs?: number } = {}) => {
  const { sender = 'Northwind <no-reply@example.com>', configurationSet, timeoutMs } = options;
  const client = testSes(endpoint, timeoutMs === undefined ? {} : { timeoutMs });
  return awsMail({ client, sender, configurationSet });
};
const message = {
  to: 'ada@example.org',
  subject: 'Einladung für Ada 🎉',
  text: 'Guten Tag, hier: https://example.com/join/1',
  html: '<p>Guten Tag, <a href="https://example.com/join/1">hier</a></p>',
};
const sendRejected = async (step: Step): Promise<unknown> => {
  await using server = await scriptedServer(step);
  const thrown = await mailAt(server.endpoint)
    .send(message)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  expect(server.requests).toHaveLength(1);
  return thrown;
};

describe('an email', () => {
  test('is sent once, as text and as HTML, without tracking who opens it', async () => {
    await using server = await scriptedServer(accepted);
    await mailAt(server.endpoint).send(message);
    expect(server.requests.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      [
        '/v2/email/outbound-emails',
        {
          FromEmailAddress: 'Northwind <no-reply@example.com>',
          Destination: { ToAddresses: ['ada@example.org'] },
          Content: {
            Simple: {
              Subject: { Data: message.subject, Charset: 'UTF-8' },
              Body: {
                Text: { Data: message.text, Charset: 'UTF-8' },
                Html: { Data: message.html, Charset: 'UTF-8' },
              },
            },
          },
          ConfigurationOverrides: { Tracking: { OpenTrackingEnabled: 'DISABLED', ClickTrackingEnabled: 'DISABLED' } },
        },
      ],
    ]);
  });

  test('names the configuration set of this deployment', async () => {
    await using server = await scriptedServer(accepted);
    await mailAt(server.endpoint, { configurationSet: 'invitations' }).send(message);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ ConfigurationSetName: 'invitations' });
  });

  test('keeps its subject on one line and well-formed', async () => {
    await using server = await scriptedServer(accepted);
    await mailAt(server.endpoint).send({ ...message, subject: 'Hello\r\nBcc: x@example.com\u2028\ud800' });
    const { Data } = JSON.parse(server.requests[0]?.body ?? '').Content.Simple.Subject;
    expect(Data).toBe('Hello Bcc: x@example.com \ufffd');
  });

  test('reaches an internationalized domain by its name in DNS', async () => {
    await using server = await scriptedServer(accepted);
    await mailAt(server.endpoint).send({ ...message, to: 'ada@bücher.example' });
    expect(JSON.parse(server.requests[0]?.body ?? '').Destination.ToAddresses).toEqual(['ada@xn--bcher-kva.example']);
  });

  test.each(['ada', 'ada@example.org, eve@example.org', 'ada@example.org\r\nBcc: eve@example.org', 'ädä@example.org'])(
    'to %j is rejected before anything is sent',
    async (to) => {
      await using server = await scriptedServer(accepted);
      const sending = mailAt(server.endpoint).send({ ...message, to });
      await expect(sending).rejects.toMatchObject({ reason: 'address_invalid' });
      expect(server.requests).toEqual([]);
    },
  );
});

describe('the sender', () => {
  const from = async (sender: string): Promise<string> => {
    await using server = await scriptedServer(accepted);
    await mailAt(server.endpoint, { sender }).send(message);
    return JSON.parse(server.requests[0]?.body ?? '').FromEmailAddress;
  };

  test('may have no name, or a plain one', async () => {
    expect(await from('no-reply@example.com')).toBe('no-reply@example.com');
    expect(await from('"Team Nord" <no-reply@example.com>')).toBe('Team Nord <no-reply@example.com>');
  });

  test('with any other name is encoded as email requires', async () => {
    expect(await from('Müller, Team <no-reply@example.com>')).toBe(
      `=?UTF-8?B?${Buffer.from('Müller, Team').toString('base64')}?= <no-reply@example.com>`,
    );
  });

  test('with a long name is encoded in words of whole characters', async () => {
    const name = 'Zürich 🏔 '.repeat(7).trim().slice(0, 64);
    const words = (await from(`${name} <no-reply@example.com>`)).split(' ').slice(0, -1);
    expect(words.length).toBeGreaterThan(1);
    for (const word of words) expect(word.length).toBeLessThanOrEqual(75);
    expect(words.map((word) => Buffer.from(word.slice(10, -2), 'base64').toString()).join('')).toBe(name);
  });

  test('that is not an address is reported at startup, not with the first email', () => {
    expect(() => mailAt('http://127.0.0.1:1', { sender: 'Team' })).toThrow('Team <no-reply@example.com>');
  });
});

describe('an email that SES does not accept', () => {
  test.each(['MessageRejected', 'BadRequestException'])(
    'because of its content (%s) is rejected for good',
    async (code) => {
      const thrown = await sendRejected(refuse(code));
      expect(thrown).toBeInstanceOf(MailRefused);
      expect(thrown).toMatchObject({ reason: 'message_rejected' });
    },
  );

  test.each([
    ['MailFromDomainNotVerifiedException', 'identity_unverified'],
    ['AccountSuspendedException', 'sending_disabled'],
    ['SendingPausedException', 'sending_disabled'],
    ['AccessDeniedException', 'sending_disabled'],
    ['NotFoundException', 'sending_disabled'],
    ['LimitExceededException', 'sending_disabled'],
  ])('until the sender is fixed (%s) stays pending, and the error names the code', async (code, expectedProblem) => {
    const thrown = await sendRejected(refuse(code));
    expect(thrown).toBeInstanceOf(SenderRefused);
    expect(thrown).toMatchObject({ problem: expectedProblem, message: `SES did not accept a message: ${code}` });
  });

  test.each([
    [
      'MessageRejected',
      'Email address is not verified. These failed the check: lovelace@example.org',
      'identity_unverified',
    ],
    ['BadRequestException', 'Configuration set <lovelace> does not exist.', 'sending_disabled'],
    ['TooManyRequestsException', 'Daily message quota exceeded for lovelace.', 'sending_disabled'],
  ])(
    'for a reason that concerns the sender (%s: %s) is recognized, without repeating the message',
    async (type, words, expectedProblem) => {
      const thrown = await sendRejected(
        answer(type === 'TooManyRequestsException' ? 429 : 400, { __type: type, message: words }),
      );
      expect(thrown).toBeInstanceOf(SenderRefused);
      expect(thrown).toMatchObject({ problem: expectedProblem });
      expect(formatLogLine('error', 'mail_refused', { cause: thrown })).not.toContain('lovelace');
    },
  );

  test.each([
    ['TooManyRequestsException', 'slow down'],
    ['ThrottlingException', 'Rate exceeded'],
    ['LimitExceededException', 'Maximum sending rate exceeded.'],
  ])('because too many are sent at once (%s) may be accepted soon', async (type, words) => {
    expect(await sendRejected(answer(429, { __type: type, message: words }))).toBeInstanceOf(MailThrottled);
  });

  test.each<[string, Step]>([
    [
      'the permission is missing',
      answer(403, { __type: 'AccessDeniedException', message: 'identity/lovelace@example.org' }),
    ],
    ['an internal error', answer(500, { __type: 'InternalServiceErrorException' })],
    ['a response that is not JSON', (response) => response.writeHead(502).end('<html>Bad Gateway')],
    ['nothing', hangUp],
  ])('for now (%s) stays pending, and is tried once', async (_why, step) => {
    const thrown = await sendRejected(step);
    expect(thrown).toBeInstanceOf(EngineUnavailable);
    expect(thrown).not.toBeInstanceOf(MailThrottled);
    expect(formatLogLine('error', 'mail_unavailable', { cause: thrown })).not.toContain('lovelace');
  });

  test('in time stays pending', async () => {
    await using server = await scriptedServer(stayMute);
    await expect(mailAt(server.endpoint, { timeoutMs: 50 }).send(message)).rejects.toThrow(EngineUnavailable);
    expect(server.requests).toHaveLength(1);
  });
});
