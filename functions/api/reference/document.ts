// Makes a page of the documentation: one HTML document with its style and script inside, the way to the other pages,
// and the policy that lets nothing else run.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface DocsPage {
  html: string;
  contentSecurityPolicy: string;
}

export interface PageParts {
  /** One of `pages`, or one below it. */
  path: string;
  html: string;
  styles: readonly string[];
  /** Each file comes after those it imports, since they become one module inside the page. */
  scripts: readonly string[];
  /** The OpenAPI document it leads to. */
  openApi?: string;
  /** What stands in the HTML as `{{name}}`, by its name; all of it is used. */
  fill?: Readonly<Record<string, string>>;
}

export const pages = [
  { path: '/docs', name: 'Reference' },
  { path: '/docs/form1', name: 'Form 1' },
  { path: '/docs/providers', name: 'Providers' },
  { path: '/docs/scores', name: 'Scores' },
  { path: '/docs/webhooks', name: 'Webhooks' },
  { path: '/docs/erasure', name: 'Erasure' },
  { path: '/docs/demo', name: 'Demo' },
] as const;

export function makePage({ path, html, styles, scripts, openApi = 'openapi.json', fill = {} }: PageParts): DocsPage {
  const style = `\n${styles.map(asset).join('\n')}`;
  const script = `\n${scripts.map((name) => withoutLinks(asset(name))).join('\n')}`;
  const runs = scripts.length > 0;
  return {
    html: filled(asset(html), fill)
      .replace('<link rel="icon" />', () => `<link rel="icon" href="data:image/svg+xml,${icon()}" />`)
      .replace('<style></style>', () => `<style>${style}</style>`)
      .replace('<!-- pages -->', () => wayToOthers(path, openApi))
      .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`),
    contentSecurityPolicy: [
      "default-src 'none'",
      ...(runs ? [`script-src '${digest(script)}'`, "connect-src 'self'"] : []),
      `style-src '${digest(style)}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}

function filled(html: string, fill: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(fill));
  const made = html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const text = fill[name];
    if (text === undefined) throw new RangeError(`nothing is given for {{${name}}}`);
    unused.delete(name);
    return text;
  });
  if (unused.size > 0) throw new RangeError(`the page has no place for ${[...unused].join(', ')}`);
  return made;
}

/** JSON that may stand between single quotes as the value of an attribute. */
export const asAttribute = (value: object): string =>
  JSON.stringify(value).replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;');

/** Links are relative, so that the pages also work behind a path of their own. */
function wayToOthers(here: PageParts['path'], openApi: string): string {
  const root = '../'.repeat(here.split('/').length - 2);
  const links = pages.map(({ path, name }) => {
    const below = path !== '/docs' && here.startsWith(`${path}/`) ? ' aria-current="true"' : '';
    const current = path === here ? ' aria-current="page"' : below;
    return `<a href="${root}${path.slice(1)}"${current}>${name}</a>`;
  });
  return [
    `<a class="wordmark" href="${root}docs">${asset('wordmark.svg')}Daybook</a>`,
    `<nav class="pages" aria-label="Documentation">${links.join('')}</nav>`,
    `<a class="document-link" href="${root}${openApi}">${openApi}</a>`,
  ].join('\n');
}

const icon = (): string => encodeURIComponent(asset('icon.svg').trim()).replaceAll("'", '%27');

const digest = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const asset = (name: string): string => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');

const withoutLinks = (source: string): string =>
  source.replace(/^import [^;]+;\n/gm, '').replace(/^export (?=(async )?(function|const|let|class) )/gm, '');
