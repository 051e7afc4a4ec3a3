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
  /** `Team <no-reply@example.com>`, or an address alone. */
  sender: string;
  configurationSet: string | undefined;
}

/** What is wrong with this very message, for good. */
const messageErrors = new Set(['BadRequestException', 'MessageRejected']);
/** What who runs this can put right while the message is still owed. */
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
      if (!isMailAddress(address))
        throw new MailRefused('address_invalid', 'the address is none that mail can be sent to');
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
        // Whatever the account or the set measures: nobody is told who opens this, and its link stays as it is.
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

/** Told by the error's name, and without it as the cause: its text may name the recipient. */
function toMailError(error: unknown): MailRefused | EngineUnavailable {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const summary = `SES did not take a mail: ${error instanceof IncompleteResponse ? message : name}`;
  if (/sending rate/i.test(message) || (throttlingErrors.has(name) && !/daily/i.test(message)))
    return new MailThrottled(summary);
  const problem =
    senderProblems[name] ??
    (messageErrors.has(name) || throttlingErrors.has(name) ? parseSenderProblem(message) : undefined);
  if (problem !== undefined) return new SenderRefused(problem, summary);
  return messageErrors.has(name) ? new MailRefused('message_rejected', summary) : new EngineUnavailable(summary);
}

/** SES has few names for many things; its words tell which of them are no fault of the message. */
function parseSenderProblem(message: string): SenderProblem | undefined {
  if (/not verified/i.test(message)) return 'identity_unverified';
  return /configuration set|daily/i.test(message) ? 'sending_disabled' : undefined;
}

/** SES wants domains of other alphabets as DNS knows them. */
function toAsciiAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at + 1)}${domainToASCII(address.slice(at + 1))}`;
}

function formatFromHeader(sender: string): string {
  const parsed = parseMailSender(sender);
  if (!parsed) throw new Error('the sender of mail must be like "Team <no-reply@example.com>"');
  return parsed.name === undefined ? parsed.address : `${encodeHeaderWords(parsed.name)} <${parsed.address}>`;
}

/** What is not plain goes as encoded words, of whole characters and at most 75 signs each. */
function encodeHeaderWords(name: string): string {
  if (/^[\w !#$%&'*+/=?^`{|}~-]+$/.test(name)) return name;
  const words = [''];
  for (const character of name) {
    if (Buffer.byteLength((words.at(-1) ?? '') + character) > 45) words.push('');
    words.push((words.pop() ?? '') + character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
