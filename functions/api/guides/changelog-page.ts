// The page on what was added to the API. It runs no script.
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import type { DocsPage } from '../docs-kit/docs-page.ts';
import { buildGuide } from './build-guide.ts';
import { type Change, type ChangesOfDay, changelog } from './changelog.ts';
import { renderInlineCode } from './code-block.ts';

let page: DocsPage | undefined;

export function renderChangelogPage(): DocsPage {
  page ??= buildGuide({
    path: '/docs/changelog',
    title: 'Changelog · Daybook',
    html: 'changelog.html',
    styles: ['article.css'],
    fill: { changes: markup`${changelog.map(renderDay)}`.html },
  });
  return page;
}

const renderDay = ({ date, changes }: ChangesOfDay): Markup => markup`<h3 id="${date}">${date}</h3>
<ul>${changes.map(renderChange)}</ul>
`;

function renderChange({ text, calls }: Change): Markup {
  const names = calls.map((call, index) => markup`${index === 0 ? ' ' : ', '}<code>${call}</code>`);
  return markup`<li>${renderInlineCode(text)}${names}</li>
`;
}
