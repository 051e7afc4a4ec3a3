// The /mailbox page of a local host: the messages that people would have received. It is only
// served to a browser on this machine.
import { toFailureResponse } from '../../shared/http/failure-response.ts';
import { type PlainPage, renderPlainPage } from '../../shared/http/page.ts';
import { htmlType } from '../../shared/http/responses.ts';
import { type Markup, markup } from '../../shared/platform/markup.ts';
import { Failure } from '../../shared/system/failure.ts';
import type { GatewayResponse } from './http-event.ts';
import { type HostRequest, isLocalRequest } from './local-request.ts';
import type { Mailbox, StoredMail } from './mailbox.ts';

export const mailboxPath = '/mailbox';

export type MailReader = Pick<Mailbox, 'messages' | 'message'>;

/**
 * Returns undefined for every other path, and for requests from other machines, which get a 404.
 */
export function respondFromMailbox(mailbox: MailReader, request: HostRequest): GatewayResponse | undefined {
  const [, id, isDocument] = /^\/mailbox(?:\/([^/]+)(\/document)?)?$/.exec(request.path) ?? [undefined];
  if (!(request.path === mailboxPath || id) || !isLocalRequest(request)) return undefined;
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed();
  if (id === undefined) return toHtmlResponse(200, renderListPage(mailbox.messages()));
  const mail = mailbox.message(id);
  if (!mail) return toHtmlResponse(404, renderMissingPage());
  return isDocument ? renderDocument(mail) : toHtmlResponse(200, renderMessagePage(mail));
}

const renderListPage = (mails: readonly StoredMail[]): PlainPage =>
  renderPlainPage({
    title: 'Mailbox',
    content: markup`<h1>Mailbox</h1>
<p class="lead">Nothing leaves this machine: mail is stored here instead of being sent.</p>
${
  mails.length === 0
    ? markup`<p class="muted">There is no mail yet. Invite someone, and reload this page.</p>`
    : markup`<ul class="cards">${mails.map(
        ({
          id,
          at,
          to,
          subject,
        }) => markup`<li><div class="card-text"><a href="${mailboxPath}/${id}">${subject || '(no subject)'}</a>
<p>to ${to}, ${renderTime(at)}</p></div></li>`,
      )}</ul>`
}`,
  });

const renderMessagePage = ({ id, at, to, subject, text }: StoredMail): PlainPage =>
  renderPlainPage({
    title: subject,
    frames: 'here',
    content: markup`<p><a href="${mailboxPath}">Mailbox</a></p>
<h1>${subject}</h1>
<p class="muted">to ${to}, ${renderTime(at)}</p>
${text.split(/\n{2,}/).map((paragraph) => markup`<p>${renderLines(paragraph)}</p>`)}
<h2>As a document</h2>
<p class="muted small">Its links are disabled here; use those above.</p>
<iframe title="The same message as a document" src="${mailboxPath}/${id}/document" sandbox width="100%" height="640"></iframe>`,
  });

const renderMissingPage = (): PlainPage =>
  renderPlainPage({
    title: 'Message not found',
    content: markup`<h1>There is no such message</h1>
<p class="lead">It may be too old, or belong to another data folder. <a href="${mailboxPath}">See all messages</a>.</p>`,
  });

const renderLines = (paragraph: string): Markup[] =>
  paragraph.split('\n').map((line, at) => markup`${at > 0 && markup`<br>`}${linkUrls(line)}`);

/** The text between URLs is at even indexes. */
const linkUrls = (line: string): (string | Markup)[] =>
  line
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, at) => (at % 2 === 0 ? part : markup`<a href="${part}" rel="noreferrer noopener">${part}</a>`));

const renderTime = (at: string): Markup =>
  markup`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`;

const toHtmlResponse = (status: number, { html, headers }: PlainPage): GatewayResponse => ({
  status,
  headers: { ...headers, ...commonHeaders },
  body: Buffer.from(html),
});

const commonHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'same-origin' };

/** The document is unchanged, but nothing in it can run, load or navigate, in a frame or alone. */
const renderDocument = ({ html }: StoredMail): GatewayResponse => ({
  status: 200,
  headers: {
    ...commonHeaders,
    'Content-Type': htmlType,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'SAMEORIGIN',
    'Content-Security-Policy':
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  },
  body: Buffer.from(html),
});

function methodNotAllowed(): GatewayResponse {
  const { headers, body } = toFailureResponse(
    new Failure('method_not_allowed', 'The mailbox is read-only: use GET or HEAD.'),
  );
  return {
    status: 405,
    headers: {
      ...headers,
      ...commonHeaders,
      Allow: 'GET, HEAD',
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}
