// The Mail port over Amazon SES.
import { domainToASCII } from 'node:url';
import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { isMailAddress, mailSenderOf } from '../../model/mail-address.ts';
import { EngineUnavailable, type Mail, type MailRefusal, MailRefused } from '../ports.ts';
import { UnansweredCall } from './http.ts';

export interface MailOptions {
  client: SESv2Client;
  /** `Team <no-reply@example.com>`, or an address alone. */
  sender: string;
  configurationSet: string | undefined;
}

/** What SES says no to for good. Whatever else it says may be put right, by it or by who runs this, while the message is still owed. */
const refusals: Readonly<Record<string, MailRefusal>> = {
  AccountSuspendedException: 'sending_disabled',
  BadRequestException: 'message_rejected',
  MailFromDomainNotVerifiedException: 'identity_unverified',
  MessageRejected: 'message_rejected',
};

export function awsMail({ client, sender, configurationSet }: MailOptions): Mail {
  const from = fromHeader(sender);
  return {
    async send({ to, subject, text, html }) {
      const address = inAscii(to);
      if (!isMailAddress(address)) throw refused('address_invalid');
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

/** By the error's name only, and without it as the cause: its text may name the recipient. */
function translated(error: unknown): MailRefused | EngineUnavailable {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const reason = refusals[name];
  if (reason === undefined)
    return new EngineUnavailable(`SES did not take a mail: ${error instanceof UnansweredCall ? message : name}`);
  return refused(/not verified/i.test(message) ? 'identity_unverified' : reason);
}

const meanings: Readonly<Record<MailRefusal, string>> = {
  address_invalid: 'the address is none that mail can be sent to',
  identity_unverified: 'SES has not verified the sender, or the account is still in its sandbox',
  sending_disabled: 'SES lets this account send no mail',
  message_rejected: 'SES rejects the message',
};
const refused = (reason: MailRefusal): MailRefused => new MailRefused(reason, meanings[reason]);

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
