// The catalog of errors: each code with its status, when it happens, what to do and an example. It
// runs no script.

import { failureStatus, toWireCode } from '../../../shared/http/failure-status.ts';
import { failureExample, failureText } from '../../../shared/http/failure-text.ts';
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { type FailureCode, failureCodes } from '../../../shared/system/failure.ts';
import type { DocsPage } from '../docs-kit/docs-page.ts';
import { buildGuide } from './build-guide.ts';
import { renderCodeBlock, renderInlineCode } from './code-block.ts';

let page: DocsPage | undefined;

export function renderErrorsPage(): DocsPage {
  page ??= buildGuide({
    path: '/docs/errors',
    title: 'Errors · Daybook',
    html: 'errors.html',
    styles: ['article.css', 'code-block.css'],
    fill: {
      table: renderTable().html,
      errors: markup`${[...Map.groupBy(failureCodes, toWireCode)].map(renderError)}`.html,
    },
  });
  return page;
}

/** On a phone, the table may have to be scrolled, so the keyboard can reach it. */
const renderTable =
  (): Markup => markup`<div class="table-scroll" tabindex="0" role="group" aria-label="All error codes"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">When</th></tr></thead>
<tbody>${failureCodes.map(renderRow)}</tbody>
</table></div>`;

const renderRow = (code: FailureCode): Markup =>
  markup`<tr><td>${failureStatus[code]}</td><td><a href="#${toWireCode(code)}"><code>${toWireCode(code)}</code></a></td><td>${renderInlineCode(failureText[code].when)}</td></tr>
`;

/** A code that callers see with several statuses has one section. */
const renderError = ([wireCode, codes]: [
  string,
  FailureCode[],
]): Markup => markup`<h2 id="${wireCode}"><code>${wireCode}</code></h2>
${codes.map(renderCase)}`;

function renderCase(code: FailureCode): Markup {
  const { when, todo } = failureText[code];
  const status = failureStatus[code];
  const text = JSON.stringify(failureExample(code), undefined, 2);
  return markup`<p>${renderInlineCode(when)} ${renderInlineCode(todo)}</p>
${renderCodeBlock({ caption: `Status ${status}`, label: `Example of ${toWireCode(code)} with status ${status}`, text })}
`;
}
