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

export const docsPages = [
  { path: '/docs', name: 'Reference' },
  { path: '/docs/form1', name: 'Form 1' },
  { path: '/docs/providers', name: 'Providers' },
  { path: '/docs/scores', name: 'Scores' },
  { path: '/docs/webhooks', name: 'Webhooks' },
  { path: '/docs/errors', name: 'Errors' },
  { path: '/docs/erasure', name: 'Erasure' },
  { path: '/docs/demo', name: 'Demo' },
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
