// The page on receiving webhooks: one HTML document without a script, and the policy that keeps it so.
import { asset, type DocsPage, digest } from './page.ts';

let page: DocsPage | undefined;

export function webhooksPage(): DocsPage {
  page ??= makePage();
  return page;
}

function makePage(): DocsPage {
  const html = asset('webhooks.html');
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  const contentSecurityPolicy = [
    "default-src 'none'",
    `style-src '${digest(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html, contentSecurityPolicy };
}
