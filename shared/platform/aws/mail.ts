// The Mail port over Amazon SES.
import { domainToASCII } from 'node:url';
import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { isMailAddress, parseMailSender } from '../mail-address.ts';
import {
  EngineUnavailable,
  type Mail,
  MailRefused,
  MailThrottled,
  type SenderProblem,
  SenderRefused,
} from '../ports.ts';
import { IncompleteResponse } from './sdk-http-handler.ts';

export interface MailOptions {
  client: SESv2Client;
  /** `Team <no-reply@example.com>`, or only an address. */
  sender: string;
  configurationSet: string | undefined;
}

/** Errors of the message itself, which are permanent. */
const messageErrors = new Set(['BadRequestException', 'MessageRejected']);
/** Problems that the operator can fix while the message is still pending. */
const senderProblems: Readonly<Record<string, SenderProblem>> = {
  AccessDeniedException: 'sending_disabled',
  AccountSuspendedException: 'sending_disabled',
  LimitExceededException: 'sending_disabled',
  MailFromDomainNotVerifiedException: 'identity_unverified',
  NotFoundException: 'sending_disabled',
  SendingPausedException: 'sending_disabled',
};
const throttlingErrors = new Set(['TooManyRequestsException', 'ThrottlingException', 'Throttling']);

export function awsMail({ client, sender, configurationSet }: MailOptions): Mail {
  const from = formatFromHeader(sender);
  return {
    async send({ to, subject, text, html }) {
      const address = toAsciiAddress(to);
      if (!isMailAddress(address)) throw new MailRefused('address_invalid', 'mail cannot be sent to this address');
      const utf8 = (Data: string) => ({ Data: Data.toWellFormed(), Charset: 'UTF-8' });
      const command = new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [address] },
        Content: {
          Simple: {
            Subject: utf8(subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()),
            Body: { Text: utf8(text), Html: utf8(html) },
          },
        },
        // Overrides the tracking settings of the account and the configuration set: opens are not
        // tracked and links stay unchanged.
        ConfigurationOverrides: { Tracking: { OpenTrackingEnabled: 'DISABLED', ClickTrackingEnabled: 'DISABLED' } },
        ...(configurationSet ? { ConfigurationSetName: configurationSet } : {}),
      });
      try {
        await client.send(command);
      } catch (error) {
        throw toMailError(error);
      }
    },
  };
}

/**
 * Reports the error by its name and without it as the cause, because its text may contain the
 * recipient.
 */
function toMailError(error: unknown): MailRefused | EngineUnavailable {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const summary = `SES did not accept a message: ${error instanceof IncompleteResponse ? message : name}`;
  if (/sending rate/i.test(message) || (throttlingErrors.has(name) && !/daily/i.test(message)))
    return new MailThrottled(summary);
  const problem =
    senderProblems[name] ??
    (messageErrors.has(name) || throttlingErrors.has(name) ? parseSenderProblem(message) : undefined);
  if (problem !== undefined) return new SenderRefused(problem, summary);
  return messageErrors.has(name) ? new MailRefused('message_rejected', summary) : new EngineUnavailable(summary);
}

/**
 * SES uses few error names for many problems; the text shows which are not the fault of the
 * message.
 */
function parseSenderProblem(message: string): SenderProblem | undefined {
  if (/not verified/i.test(message)) return 'identity_unverified';
  return /configuration set|daily/i.test(message) ? 'sending_disabled' : undefined;
}

/** SES requires internationalized domains in their ASCII form. */
function toAsciiAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at + 1)}${domainToASCII(address.slice(at + 1))}`;
}

function formatFromHeader(sender: string): string {
  const parsed = parseMailSender(sender);
  if (!parsed) throw new Error('the mail sender must have the form "Team <no-reply@example.com>"');
  return parsed.name === undefined ? parsed.address : `${encodeHeaderWords(parsed.name)} <${parsed.address}>`;
}

/** Other names become encoded words, each of whole characters and at most 75 characters long. */
function encodeHeaderWords(name: string): string {
  if (/^[\w !#$%&'*+/=?^`{|}~-]+$/.test(name)) return name;
  const words = [''];
  for (const character of name) {
    if (Buffer.byteLength((words.at(-1) ?? '') + character) > 45) words.push('');
    words.push((words.pop() ?? '') + character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
