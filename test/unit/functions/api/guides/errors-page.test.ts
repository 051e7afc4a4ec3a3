import { describe, expect, test } from 'vitest';
import { renderErrorsPage } from '../../../../../functions/api/guides/errors-page.ts';
import { failureStatus, toWireCode } from '../../../../../shared/http/failure-status.ts';
import { failureExample, failureText } from '../../../../../shared/http/failure-text.ts';
import { failureCodes } from '../../../../../shared/system/failure.ts';
import { checkScriptlessPage } from '../docs-kit/page-checks.ts';
import { readCodeBlocks } from '../docs-kit/read-code-blocks.ts';

const page = renderErrorsPage();
const { html } = page;
const blocks = readCodeBlocks(html);
const toMarkup = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');

describe('the errors page', () => {
  test.each(failureCodes)('shows %s with its status, when it happens, what to do and an example', (code) => {
    const shown = toWireCode(code);
    const { when, todo } = failureText[code];
    const section = html.split(/(?=<h2)/).find((each) => each.startsWith(`<h2 id="${shown}">`)) ?? '';
    expect(section).toContain(`<code>${shown}</code></h2>`);
    expect(section).toContain(`<span>Status ${failureStatus[code]}</span>`);
    expect(section).toContain(`<p>${toMarkup(when)} ${toMarkup(todo)}</p>`);
    const example = blocks.get(`Example of ${shown} with status ${failureStatus[code]}`);
    expect(JSON.parse(example ?? '')).toEqual(failureExample(code));
    expect(html).toContain(`<tr><td>${failureStatus[code]}</td><td><a href="#${shown}"><code>${shown}</code></a></td>`);
  });

  test('has one section for each code that callers see', () => {
    const ids = [...html.matchAll(/<h2 id="([^"]+)">/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(failureCodes.map(toWireCode))]);
    expect(blocks.size).toBe(failureCodes.length);
  });
});

checkScriptlessPage(page, '/docs/errors');
