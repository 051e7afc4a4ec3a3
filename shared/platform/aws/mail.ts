// The Mail port over Amazon SES.
import { domainToASCII } from 'node:url';
import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { isMailAddress, mailSenderOf } from '../mail-address.ts';
import {
  EngineUnavailable,
  type Mail,
  MailRefused,
  MailThrottled,
  SenderRefused,
  type SenderTrouble,
} from '../ports.ts';
import { UnansweredCall } from './http.ts';

export interface MailOptions {
  client: SESv2Client;
  /** `Team <no-reply@example.com>`, or an address alone. */
  sender: string;
  configurationSet: string | undefined;
}

/** What is wrong with this very message, for good. */
const faults = new Set(['BadRequestException', 'MessageRejected']);
/** What who runs this can put right while the message is still owed. */
const troubles: Readonly<Record<string, SenderTrouble>> = {
  AccessDeniedException: 'sending_disabled',
  AccountSuspendedException: 'sending_disabled',
  LimitExceededException: 'sending_disabled',
  MailFromDomainNotVerifiedException: 'identity_unverified',
  NotFoundException: 'sending_disabled',
  SendingPausedException: 'sending_disabled',
};
const throttles = new Set(['TooManyRequestsException', 'ThrottlingException', 'Throttling']);

export function awsMail({ client, sender, configurationSet }: MailOptions): Mail {
  const from = fromHeader(sender);
  return {
    async send({ to, subject, text, html }) {
      const address = inAscii(to);
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
        throw translated(error);
      }
    },
  };
}

/** Told by the error's name, and without it as the cause: its text may name the recipient. */
function translated(error: unknown): MailRefused | EngineUnavailable {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const told = `SES did not take a mail: ${error instanceof UnansweredCall ? message : name}`;
  if (/sending rate/i.test(message) || (throttles.has(name) && !/daily/i.test(message))) return new MailThrottled(told);
  const trouble = troubles[name] ?? (faults.has(name) || throttles.has(name) ? senderIn(message) : undefined);
  if (trouble !== undefined) return new SenderRefused(trouble, told);
  return faults.has(name) ? new MailRefused('message_rejected', told) : new EngineUnavailable(told);
}

/** SES has few names for many things; its words tell which of them are no fault of the message. */
function senderIn(message: string): SenderTrouble | undefined {
  if (/not verified/i.test(message)) return 'identity_unverified';
  return /configuration set|daily/i.test(message) ? 'sending_disabled' : undefined;
}

/** SES wants domains of other alphabets as DNS knows them. */
function inAscii(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at + 1)}${domainToASCII(address.slice(at + 1))}`;
}

function fromHeader(sender: string): string {
  const known = mailSenderOf(sender);
  if (!known) throw new Error('the sender of mail must be like "Team <no-reply@example.com>"');
  return known.name === undefined ? known.address : `${headerWords(known.name)} <${known.address}>`;
}

/** What is not plain goes as encoded words, of whole characters and at most 75 signs each. */
function headerWords(name: string): string {
  if (/^[\w !#$%&'*+/=?^`{|}~-]+$/.test(name)) return name;
  const words = [''];
  for (const sign of name) {
    if (Buffer.byteLength((words.at(-1) ?? '') + sign) > 45) words.push('');
    words.push((words.pop() ?? '') + sign);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
