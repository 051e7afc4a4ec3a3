// Makes the reference page: one HTML document with its style and script inside, and the policy that lets nothing else run.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface DocsPage {
  html: string;
  contentSecurityPolicy: string;
}

const styles = ['page.css', 'operation.css', 'form.css'] as const;

/** Each file comes after those it imports, since they become one module inside the page. */
const scripts = [
  'dom.js',
  'token.js',
  'schema.js',
  'request.js',
  'answer.js',
  'try.js',
  'operation.js',
  'navigation.js',
  'page.js',
] as const;

let page: DocsPage | undefined;

export function docsPage(): DocsPage {
  page ??= makePage();
  return page;
}

function makePage(): DocsPage {
  const style = `\n${styles.map((name) => asset(name)).join('\n')}`;
  const script = `\n${scripts.map((name) => withoutLinks(asset(name))).join('\n')}`;
  const html = asset('page.html')
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`);
  return { html, contentSecurityPolicy: policy(style, script) };
}

function policy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export const digest = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

export const asset = (name: string): string => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');

const withoutLinks = (source: string): string =>
  source.replace(/^import [^;]+;\n/gm, '').replace(/^export (?=(async )?(function|const|let|class) )/gm, '');
