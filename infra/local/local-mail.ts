// Amazon SES on this machine: an endpoint for SendEmail that passes the message to a mailbox.
import * as z from 'zod';
import { type Log, type Mail, MailRefused } from '../../shared/platform/ports.ts';
import { type LocalEndpoint, openLocalEndpoint, parseJsonObject, type ServiceResponse } from './local-endpoint.ts';

const Text = z.object({ Data: z.string() });
const SendEmail = z.object({
  Destination: z.object({ ToAddresses: z.array(z.string()).length(1) }),
  Content: z.object({ Simple: z.object({ Subject: Text, Body: z.object({ Text, Html: Text }) }) }),
});

export const startLocalMail = (mail: Mail, log: Log): Promise<LocalEndpoint> =>
  openLocalEndpoint('the local mail', log, async ({ operation, text }) => {
    if (operation !== 'POST /v2/email/outbound-emails') {
      return errorResponse(404, 'NotFoundException', 'the local mail service only supports SendEmail');
    }
    const input = SendEmail.safeParse(parseJsonObject(text));
    if (!input.success) return errorResponse(400, 'BadRequestException', z.prettifyError(input.error));
    const { Destination, Content } = input.data;
    const { Subject, Body } = Content.Simple;
    const [to = ''] = Destination.ToAddresses;
    try {
      await mail.send({ to, subject: Subject.Data, text: Body.Text.Data, html: Body.Html.Data });
    } catch (error) {
      return error instanceof MailRefused
        ? errorResponse(400, 'MessageRejected', error.message)
        : errorResponse(503, 'ServiceUnavailable', error instanceof Error ? error.message : String(error));
    }
    return { status: 200, body: { MessageId: 'local' } };
  });

const errorResponse = (status: number, type: string, message: string): ServiceResponse => ({
  status,
  body: { message },
  headers: { 'x-amzn-errortype': type },
});
