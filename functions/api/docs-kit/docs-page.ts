// Builds a documentation page: one HTML document with inline style and script, navigation to the
// other pages, and a Content-Security-Policy that allows nothing else to run and no HTML from text.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { htmlType } from '../../../shared/http/responses.ts';
import { escapeHtml } from '../../../shared/platform/markup.ts';

export interface DocsPage {
  html: string;
  contentSecurityPolicy: string;
}

export interface DocsPageInput {
  /** `/`, one of `docsPages`, or a path below one. */
  path: string;
  title: string;
  /** The asset with everything between the masthead and the footer. */
  html: string;
  /** The assets with its styles, in addition to those of every page. */
  styles: readonly string[];
  /** The text of a script that is bundled for browsers (`infra/build/browser-script.ts`). */
  script?: string;
  /** The OpenAPI document that the page links to. */
  openApi?: string;
  /** The values for the `{{name}}` placeholders in the HTML, by name. All of them must be used. */
  fill?: Readonly<Record<string, string>>;
}

/**
 * All pages link to these, in the masthead or in the footer, and the page and the JSON at `/` do,
 * with the summary.
 */
export const docsPages = [
  {
    path: '/docs',
    link: 'docs',
    name: 'Reference',
    summary: 'Every call, which you can try with your own key.',
    place: 'masthead',
  },
  {
    path: '/docs/quickstart',
    link: 'quickstart',
    name: 'Quickstart',
    summary: 'From nothing to a chart with curl, TypeScript, Python or Kotlin.',
    place: 'masthead',
  },
  {
    path: '/docs/providers',
    link: 'providers',
    name: 'Providers',
    summary: 'What each provider measures, how its data arrives and how to set it up.',
    place: 'masthead',
  },
  {
    path: '/docs/scores',
    link: 'scores',
    name: 'Scores',
    summary: 'How scores are computed, with examples.',
    place: 'masthead',
  },
  {
    path: '/docs/webhooks',
    link: 'webhooks',
    name: 'Webhooks',
    summary: 'The event types, signatures and retries.',
    place: 'masthead',
  },
  {
    path: '/docs/errors',
    link: 'errors',
    name: 'Errors',
    summary: 'What each error code means, and what to do.',
    place: 'masthead',
  },
  {
    path: '/docs/demo',
    link: 'demo',
    name: 'Demo',
    summary: "A fictional user's days and scores as charts.",
    place: 'masthead',
  },
  {
    path: '/docs/form1',
    link: 'form1',
    name: 'Form 1',
    summary: 'The reference for accounts on the older form of the contract.',
    place: 'footer',
  },
  {
    path: '/docs/changelog',
    link: 'changelog',
    name: 'Changelog',
    summary: 'What was added to the API, newest first.',
    place: 'footer',
  },
  {
    path: '/docs/security',
    link: 'security',
    name: 'Security',
    summary: 'How Daybook protects data, what it leaves to you, and how to report a vulnerability.',
    place: 'footer',
  },
  {
    path: '/docs/data-protection',
    link: 'data_protection',
    name: 'Data protection',
    summary: 'Which data Daybook stores, where, for how long, and who can read it.',
    place: 'footer',
  },
  {
    path: '/docs/erasure',
    link: 'erasure',
    name: 'Erasure',
    summary: 'What is erased when a user is deleted, and what remains.',
    place: 'footer',
  },
] as const;

export type AssetReader = (name: string) => string;

/**
 * Reads the assets next to a module, and those next to this file, which the groups share. A bundle
 * has both in one folder.
 */
export const createAssetReader =
  (moduleUrl: string): AssetReader =>
  (name) => {
    const own = new URL(`./assets/${name}`, moduleUrl);
    return readFileSync(existsSync(own) ? own : new URL(`./assets/${name}`, import.meta.url), 'utf8');
  };

export const createPageBuilder =
  (readAsset: AssetReader) =>
  (input: DocsPageInput): DocsPage =>
    buildDocsPage(input, readAsset);

const commonStyles = ['tokens.css', 'base.css', 'page.css'];

function buildDocsPage(
  { path, title, html, styles, script, openApi = 'openapi.json', fill = {} }: DocsPageInput,
  readAsset: AssetReader,
): DocsPage {
  const icon = encodeURIComponent(readAsset('icon.svg').trim()).replaceAll("'", '%27');
  const style = `\n${[...commonStyles, ...styles].map(readAsset).join('\n')}`;
  const content = fillTemplate(readAsset(html), fill).replaceAll(
    '<div class="table-scroll" data-label=',
    '<div class="table-scroll" tabindex="0" role="group" aria-label=',
  );
  const hasContents = content.includes('id="contents"');
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="referrer" content="no-referrer" />
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${icon}" />
<style>${style}</style>
</head>
<body>
<a class="skip-link" href="#content">Skip to the page</a>
<header class="masthead">
${hasContents ? contentsButton : ''}${renderMasthead(path, openApi, readAsset('wordmark.svg'))}
</header>
${content}${renderFooter(path)}
${script === undefined ? '' : `<script type="module">${script}</script>\n`}</body>
</html>
`,
    contentSecurityPolicy: [
      "default-src 'none'",
      ...(script === undefined ? [] : [`script-src '${hashSource(script)}'`, "connect-src 'self'"]),
      `style-src '${hashSource(style)}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      // The pages share the origin of the console, whose session a script could use.
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  };
}

/** On a phone, it opens the list that wide screens show next to the page. */
const contentsButton =
  '<button type="button" class="contents-button" aria-expanded="false" aria-controls="contents">Contents</button>\n';

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

function renderMasthead(currentPath: string, openApi: string, wordmark: string): string {
  const root = pathToRoot(currentPath);
  return [
    `<a class="wordmark" href="${root || './'}">${wordmark}Daybook</a>`,
    `<nav class="pages" aria-label="Documentation">${renderLinks(currentPath, 'masthead')}</nav>`,
    `<a class="console-link" href="${root}console">Console</a>`,
    `<a class="document-link" href="${root}${openApi}">${openApi}</a>`,
  ].join('\n');
}

const renderFooter = (currentPath: string): string =>
  `<footer class="footer"><nav class="more-pages" aria-label="More documentation">${renderLinks(currentPath, 'footer')}</nav></footer>`;

/** Links are relative, so that the pages also work under a path prefix. */
export const pathToRoot = (currentPath: string): string => '../'.repeat(currentPath.split('/').length - 2);

const renderLinks = (currentPath: string, place: (typeof docsPages)[number]['place']): string =>
  docsPages
    .filter((page) => page.place === place)
    .map(({ path, name }) => {
      const parentPath = path === '/docs' ? '/docs/reference' : path;
      const parentAttribute = currentPath.startsWith(`${parentPath}/`) ? ' aria-current="true"' : '';
      const current = path === currentPath ? ' aria-current="page"' : parentAttribute;
      return `<a href="${pathToRoot(currentPath)}${path.slice(1)}"${current}>${name}</a>`;
    })
    .join('');

const hashSource = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

export const toHtmlResponse = ({ html, contentSecurityPolicy }: DocsPage) =>
  [html, 200, { 'Content-Type': htmlType, 'Content-Security-Policy': contentSecurityPolicy }] as const;
