// A page for end users: plain HTML with inline styles, at most one optional script, and a security
// policy that allows nothing else.
import { createHash } from 'node:crypto';
import { removeInvisible } from '../platform/display-line.ts';
import type { Language } from '../platform/language.ts';
import { escapeHtml, type Markup } from '../platform/markup.ts';
import { pageStyles } from './page-styles.ts';
import { htmlType } from './responses.ts';

export interface PlainPageOptions {
  /** The title of the tab. The page's only `h1` is in its content. */
  title: string;
  content: Markup;
  /**
   * Where the page's forms may lead: nowhere by default, back to this service, or `onward` by a
   * redirect to a provider or an app.
   */
  forms?: 'here' | 'onward';
  /** The language of the text; English by default. */
  lang?: Language;
  /** An optional script, without which the page works as well. None by default. */
  script?: string;
  /** Whether the page embeds other documents of this service. None by default. */
  frames?: 'here';
  /** Whether the script requests other documents of this service. None by default. */
  requests?: 'here';
}

/** The arguments of `c.html` other than the status. */
export interface PlainPage {
  html: string;
  headers: Record<string, string>;
}

export function renderPlainPage(options: PlainPageOptions): PlainPage {
  const { title, content, forms, frames, requests, script, lang = 'en' } = options;
  return {
    html: `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${removeInvisible(escapeHtml(title))} · Daybook</title>
<link rel="icon" href="data:image/svg+xml,${favicon}">
<style>${pageStyles}</style>
</head>
<body>
<header><p class="wordmark">${wordmark}Daybook</p></header>
<main>
${removeInvisible(content.html)}
</main>${script === undefined ? '' : `\n<script>${script}</script>`}
</body>
</html>
`,
    headers: {
      'Content-Type': htmlType,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      'Content-Security-Policy': [
        "default-src 'none'",
        `style-src '${styleHash}'`,
        ...(script === undefined ? [] : [`script-src '${computeCspHash(script)}'`]),
        ...(requests === 'here' ? ["connect-src 'self'"] : []),
        'img-src data:',
        ...(frames === 'here' ? ["frame-src 'self'"] : []),
        "base-uri 'none'",
        `form-action ${formAction[forms ?? 'nowhere']}`,
        "frame-ancestors 'none'",
      ].join('; '),
    },
  };
}

/**
 * Browsers apply `form-action` to every redirect that follows a form, including a provider's own
 * redirects to its sign-in page.
 */
const formAction = {
  nowhere: "'none'",
  here: "'self'",
  onward: "'self' https: http://localhost:* http://127.0.0.1:*",
} as const;

const computeCspHash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const styleHash = computeCspHash(pageStyles);

const wordmark =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><path d="M6 22h20M16 6v4.5M7.5 9.5l2.8 2.8M24.5 9.5l-2.8 2.8M9.5 22a6.5 6.5 0 0 1 13 0"/></svg>';
const favicon = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d5c4d"/>' +
    '<path d="M8 21h16M16 7v4M8.5 10.5l2.2 2.2M23.5 10.5l-2.2 2.2M10.5 21a5.5 5.5 0 0 1 11 0" fill="none" stroke="#f6f3ea" stroke-width="2.2" stroke-linecap="round"/></svg>',
);
