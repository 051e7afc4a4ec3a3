// The page at `/`: what this service is and where to go from here. It runs no script.
import { markup } from '../../../shared/platform/markup.ts';
import { type DocsPage, docsPages } from '../docs-kit/docs-page.ts';
import { buildReferencePage } from './build-reference-page.ts';

const pages = new Map<boolean, DocsPage>();

/** A local host has a mailbox, and prints a link to the demo that contains a key. */
export function renderHomePage({ hasMailbox }: { hasMailbox: boolean }): DocsPage {
  const page = pages.get(hasMailbox) ?? buildPage(hasMailbox);
  pages.set(hasMailbox, page);
  return page;
}

const pathsToTry: ReadonlySet<string> = new Set(['/docs', '/docs/demo']);

const listPages = (isListed: (path: string) => boolean): string =>
  docsPages
    .filter(({ path }) => isListed(path))
    .map(({ path, name, summary }) => {
      const text = summary.charAt(0).toLowerCase() + summary.slice(1);
      return markup`<li><a href="${path.slice(1)}">${name}</a>: ${text}</li>`.html;
    })
    .join('\n        ');

const buildPage = (hasMailbox: boolean): DocsPage =>
  buildReferencePage({
    path: '/',
    title: 'Daybook',
    html: 'home.html',
    styles: ['article.css'],
    fill: {
      to_try: listPages((path) => pathsToTry.has(path)),
      demo_hint: hasMailbox
        ? 'The terminal that runs <code>npm start</code> shows a link to the demo with a key.'
        : 'The demo needs a sandbox key.',
      to_read: listPages((path) => !pathsToTry.has(path)),
      mailbox: hasMailbox
        ? '\n        <li><a href="mailbox">Mailbox</a>: the mail that people would have received. None of it leaves this machine.</li>'
        : '',
    },
  });
