// The page at `/`: what this service is and where to go from here. It runs no script.
import { buildDocsPage, type DocsPage } from './docs-page.ts';

const pages = new Map<boolean, DocsPage>();

/** A local host has a mailbox, and prints a link to the demo that contains a key. */
export function renderHomePage({ hasMailbox }: { hasMailbox: boolean }): DocsPage {
  const page = pages.get(hasMailbox) ?? buildPage(hasMailbox);
  pages.set(hasMailbox, page);
  return page;
}

const buildPage = (hasMailbox: boolean): DocsPage =>
  buildDocsPage({
    path: '/',
    html: 'home.html',
    styles: ['page.css', 'article.css'],
    scripts: [],
    fill: {
      demo_hint: hasMailbox
        ? ' The terminal that runs <code>npm start</code> shows a link to it with a key.'
        : ' It needs a sandbox key.',
      mailbox: hasMailbox
        ? '\n        <li><a href="mailbox">Mailbox</a>: the mail that people would have received. None of it leaves this machine.</li>'
        : '',
    },
  });
