import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderFailurePage } from '../../../shared/http/failure-page.ts';
import { renderPlainPage } from '../../../shared/http/page.ts';
import { pageStyles } from '../../../shared/http/page-styles.ts';
import { timeZoneScript } from '../../../shared/http/time-zone-field.ts';
import { Markup, markup } from '../../../shared/platform/markup.ts';
import { Failure } from '../../../shared/system/failure.ts';

const read = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('a value inserted into markup', () => {
  test('is escaped as text', () => {
    const nasty = fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', ' ', '=', '$', '`') });
    fc.assert(
      fc.property(nasty, (text) => {
        const { html } = markup`<p title="${text}">${text}</p>`;
        const [, attribute = '', content = ''] = /^<p title="([^"<>]*)">([^<>]*)<\/p>$/.exec(html) ?? [];
        expect([read(attribute), read(content)]).toEqual([text, text]);
      }),
    );
  });

  test('is kept if it is markup, and left out if it is empty', () => {
    expect(markup`${[markup`<b>${1}</b>`, `<'`]}${undefined}${false}`).toEqual(new Markup('<b>1</b>&lt;&#39;'));
  });
});

describe('a page for people', () => {
  const { html, headers } = renderPlainPage({ title: 'A <title>', content: markup`<h1>Hello</h1>` });

  test('has a language, a title and one main element', () => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain('<title>A &lt;title&gt; · Daybook</title>');
    expect(html.match(/<main>/g)).toHaveLength(1);
  });

  test('hides what cannot be seen and what turns text around, in the title and the content', () => {
    const name = 'Al\u202eex\u200b';
    const { html: page } = renderPlainPage({ title: name, content: markup`<h1>${name}</h1>` });
    expect(page).toContain('<title>Alex · Daybook</title>');
    expect(page).toContain('<h1>Alex</h1>');
  });

  test('allows its own style and nothing else, and cannot be framed', () => {
    const policy = headers['Content-Security-Policy'] ?? '';
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toMatch(/^default-src 'none';.*form-action 'none'; frame-ancestors 'none'$/);
    expect(policy).not.toMatch(/unsafe|script-src/);
    expect(headers).toMatchObject({
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
    });
  });

  test('runs only the script that it declares', () => {
    const { html: page, headers: scriptHeaders } = renderPlainPage({
      title: 'x',
      content: markup`<p>`,
      script: timeZoneScript,
    });
    const script = /<script>(.*?)<\/script>/s.exec(page)?.[1] ?? '';
    expect(script).toBe(timeZoneScript);
    const digest = createHash('sha256').update(script).digest('base64');
    expect(scriptHeaders['Content-Security-Policy']).toContain(`; script-src 'sha256-${digest}';`);
    expect(scriptHeaders['Content-Security-Policy']).not.toContain('unsafe');
  });

  test('has the colors of the documentation', () => {
    const css = new URL('../../../functions/api/docs-kit/assets/tokens.css', import.meta.url);
    const readColors = (text: string) =>
      new Map([...text.matchAll(/(--[\w-]+): (light-dark\([^;]+)/g)].map(([, a = '', b]) => [a, b]));
    const docsColors = readColors(readFileSync(css, 'utf8'));
    expect(readColors(pageStyles).size).toBeGreaterThan(10);
    for (const [name, value] of readColors(pageStyles)) expect([name, docsColors.get(name)]).toEqual([name, value]);
  });
});

test.each([
  ['internal_error', 'Something went wrong'],
  ['unavailable', 'The service is not available right now'],
  ['rate_limited', 'That was a little too fast'],
  ['not_found', 'This page does not exist'],
  ['payload_too_large', 'This request is not valid'],
] as const)('%s is explained in words for people, without internal terms', (code, heading) => {
  const { html } = renderFailurePage(new Failure(code, 'a message for programs'));
  expect(html).toContain(`<h1>${heading}</h1>`);
  expect(html).not.toMatch(/a message for programs|_/);
});
