// Reads the emails that the deployment sent. The emulator's SES catches them and, like the real
// one, rejects a sender that is not verified.
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import * as z from 'zod';
import { clientConfig } from '../../shared/platform/aws/client-config.ts';
import { readAwsConnection } from '../../shared/platform/aws/connection.ts';
import { parseMailSender } from '../../shared/platform/mail-address.ts';
import { deployment } from './deployment.ts';

/**
 * Verifies the sender, which an operator does once in the console. The emulator does not check the
 * claim.
 */
export async function verifySender(): Promise<void> {
  const client = new SESv2Client(clientConfig('ses', readAwsConnection(process.env)));
  await client.send(new CreateEmailIdentityCommand({ EmailIdentity: parseMailSender(deployment.mailSender)?.domain }));
}

const CaughtMessages = z.object({
  messages: z.record(
    z.string(),
    z.array(
      z
        .object({
          Source: z.string(),
          To: z.array(z.string()),
          Subject: z.string(),
          BodyText: z.string(),
          BodyHtml: z.string(),
        })
        .transform(({ Source, To, Subject, BodyText, BodyHtml }) => ({
          from: Source,
          to: To,
          subject: Subject,
          text: BodyText,
          html: BodyHtml,
        })),
    ),
  ),
});
export type CaughtMail = z.infer<typeof CaughtMessages>['messages'][string][number];

export async function readMailTo(address: string): Promise<CaughtMail[]> {
  const response = await fetch(`${process.env['AWS_ENDPOINT_URL']}/_ministack/ses/messages`);
  const { messages } = CaughtMessages.parse(await response.json());
  return Object.values(messages)
    .flat()
    .filter(({ to }) => to.includes(address));
}
