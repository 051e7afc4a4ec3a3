// Checks for every documentation page, and for those that run a script.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type DocsPage, docsPages } from '../../../../../functions/api/docs-kit/docs-page.ts';

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export function contentOf(html: string, tag: 'style' | 'script'): string {
  const found = [...html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))];
  expect(found).toHaveLength(1);
  return found[0]?.[1] ?? '';
}

export function parseDirectives({ contentSecurityPolicy }: DocsPage): Map<string, string> {
  return new Map(
    contentSecurityPolicy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

export function checkPage(page: DocsPage, path: string): void {
  test('contains no URL of another host', () => {
    const svgNamespace = 'http://www.w3.org/2000/svg';
    expect(page.html.replaceAll(svgNamespace, '')).not.toMatch(/https?:\/\//i);
    expect(page.html).not.toMatch(/(?:src|href)=["']\/\//i);
  });

  test('has no style or event handler attribute, which its policy would block', () => {
    expect(page.html).not.toMatch(/<[^>]+\s(?:style|on[a-z]+)=/i);
  });

  test('links to every documentation page, wherever the service is mounted', () => {
    const navigations = [...page.html.matchAll(/<nav class="(?:more-)?pages"[^>]*>(.*?)<\/nav>/g)];
    expect(navigations).toHaveLength(2);
    const links = navigations.map(([, content = '']) => content).join('');
    const hrefs = [...links.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
    for (const base of ['https://api.example', 'https://api.example/stage']) {
      const targets = hrefs.map((href) => new URL(href, base + path).href);
      expect(targets).toEqual(docsPages.map((each) => base + each.path));
    }
    const currentPages = docsPages.filter((each) => each.path === path);
    expect(links.match(/aria-current="page"/g) ?? []).toHaveLength(currentPages.length);
  });

  test('has only the style that its policy allows, and the policy allows nothing else', () => {
    const directives = parseDirectives(page);
    expect(directives.get('default-src')).toBe("'none'");
    expect(directives.get('style-src')).toBe(digest(contentOf(page.html, 'style')));
    expect(directives.get('img-src')).toBe('data:');
    for (const name of ['base-uri', 'form-action', 'frame-ancestors']) expect(directives.get(name)).toBe("'none'");
    expect(directives.get('require-trusted-types-for')).toBe("'script'");
    expect(directives.get('trusted-types')).toBe("'none'");
    expect(page.contentSecurityPolicy).not.toMatch(/unsafe|\*/);
  });
}

export function checkScriptlessPage(page: DocsPage, path: string): void {
  describe('a page without a script', () => {
    checkPage(page, path);
    test('runs no script and sends no request', () => {
      expect(page.html).not.toMatch(/<script|<img/i);
      expect([...parseDirectives(page).keys()]).not.toContain('script-src');
      expect([...parseDirectives(page).keys()]).not.toContain('connect-src');
    });
  });
}

export function checkScriptedPage(page: DocsPage, path = '/docs'): void {
  describe('a page with a script', () => {
    checkPage(page, path);
    test('has one valid module as its script, which imports nothing', () => {
      const script = contentOf(page.html, 'script');
      const check = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], { input: script });
      expect(check.stderr.toString()).toBe('');
      expect(check.status).toBe(0);
      expect(script).not.toMatch(/^(?:import|export)\b/m);
    });

    test('never turns text of a response into markup or code', () => {
      const script = contentOf(page.html, 'script');
      expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b/);
      expect(script).not.toMatch(/new Function|setTimeout\(['"`]/);
    });

    test('may run exactly that script and call only this service', () => {
      const directives = parseDirectives(page);
      expect(directives.get('script-src')).toBe(digest(contentOf(page.html, 'script')));
      expect(directives.get('connect-src')).toBe("'self'");
    });
  });
}
