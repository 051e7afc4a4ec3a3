// Builds a documentation page: one HTML document with inline style and script, navigation to the
// other pages, and a Content-Security-Policy that allows nothing else to run.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface DocsPage {
  html: string;
  contentSecurityPolicy: string;
}

/** A script that is complete in itself, as its text. */
export interface EmbeddedScript {
  text: string;
}

export interface DocsPageInput {
  /** `/`, one of `docsPages`, or a path below one. */
  path: string;
  html: string;
  styles: readonly string[];
  /** Each file must come after the files it imports, because they become one module in the page. */
  scripts: readonly (string | EmbeddedScript)[];
  /** The OpenAPI document that the page links to. */
  openApi?: string;
  /** The values for the `{{name}}` placeholders in the HTML, by name. All of them must be used. */
  fill?: Readonly<Record<string, string>>;
}

/** All pages link to these, and the page and the JSON at `/` do, with the summary. */
export const docsPages = [
  { path: '/docs', link: 'docs', name: 'Reference', summary: 'Every call, which you can try with your own key.' },
  {
    path: '/docs/form1',
    link: 'form1',
    name: 'Form 1',
    summary: 'The reference for accounts on the older form of the contract.',
  },
  {
    path: '/docs/providers',
    link: 'providers',
    name: 'Providers',
    summary: 'What each provider measures, how its data arrives and how to set it up.',
  },
  { path: '/docs/scores', link: 'scores', name: 'Scores', summary: 'How scores are computed, with examples.' },
  { path: '/docs/webhooks', link: 'webhooks', name: 'Webhooks', summary: 'The event types, signatures and retries.' },
  { path: '/docs/errors', link: 'errors', name: 'Errors', summary: 'What each error code means, and what to do.' },
  {
    path: '/docs/erasure',
    link: 'erasure',
    name: 'Erasure',
    summary: 'What is erased when a user is deleted, and what remains.',
  },
  { path: '/docs/demo', link: 'demo', name: 'Demo', summary: "A fictional user's days and scores as charts." },
] as const;

export function buildDocsPage({
  path,
  html,
  styles,
  scripts,
  openApi = 'openapi.json',
  fill = {},
}: DocsPageInput): DocsPage {
  const style = `\n${styles.map(readAsset).join('\n')}`;
  const script = `\n${scripts.map(readScript).join('\n')}`;
  const hasScripts = scripts.length > 0;
  return {
    html: fillTemplate(readAsset(html), fill)
      .replace('<link rel="icon" />', () => `<link rel="icon" href="data:image/svg+xml,${readIcon()}" />`)
      .replace('<style></style>', () => `<style>${style}</style>`)
      .replace('<!-- pages -->', () => renderNavigation(path, openApi))
      .replace('<script type="module"></script>', () => `<script type="module">${script}</script>`),
    contentSecurityPolicy: [
      "default-src 'none'",
      ...(hasScripts ? [`script-src '${hashSource(script)}'`, "connect-src 'self'"] : []),
      `style-src '${hashSource(style)}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}

function fillTemplate(html: string, fill: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(fill));
  const result = html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const text = fill[name];
    if (text === undefined) throw new RangeError(`there is no value for the placeholder {{${name}}}`);
    unused.delete(name);
    return text;
  });
  if (unused.size > 0) throw new RangeError(`the page has no placeholder for ${[...unused].join(', ')}`);
  return result;
}

/** Encodes JSON for an attribute value in single quotes. */
export const toJsonAttribute = (value: object): string =>
  JSON.stringify(value).replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;');

/** Links are relative, so that the pages also work under a path prefix. */
function renderNavigation(currentPath: DocsPageInput['path'], openApi: string): string {
  const root = '../'.repeat(currentPath.split('/').length - 2);
  const links = docsPages.map(({ path, name }) => {
    const parentAttribute = path !== '/docs' && currentPath.startsWith(`${path}/`) ? ' aria-current="true"' : '';
    const current = path === currentPath ? ' aria-current="page"' : parentAttribute;
    return `<a href="${root}${path.slice(1)}"${current}>${name}</a>`;
  });
  return [
    `<a class="wordmark" href="${root || './'}">${readAsset('wordmark.svg')}Daybook</a>`,
    `<nav class="pages" aria-label="Documentation">${links.join('')}</nav>`,
    `<a class="document-link" href="${root}${openApi}">${openApi}</a>`,
  ].join('\n');
}

const readIcon = (): string => encodeURIComponent(readAsset('icon.svg').trim()).replaceAll("'", '%27');

const hashSource = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

export const readAsset = (name: string): string => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8');

const readScript = (script: string | EmbeddedScript): string =>
  typeof script === 'string' ? stripModuleSyntax(readAsset(script)) : script.text;

const stripModuleSyntax = (source: string): string =>
  source.replace(/^import [^;]+;\n/gm, '').replace(/^export (?=(async )?(function|const|let|class) )/gm, '');
