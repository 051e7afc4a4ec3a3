// The page that tells how scores are made: the reference page's style and no script at all.
import { asset, type DocsPage, digest } from './page.ts';

let page: DocsPage | undefined;

export function scoresPage(): DocsPage {
  page ??= makePage();
  return page;
}

function makePage(): DocsPage {
  const source = asset('scores.html');
  const own = /<style>([\s\S]*?)<\/style>/.exec(source)?.[1] ?? '';
  const style = `\n${asset('page.css')}${own}`;
  return {
    html: source.replace(own, () => style),
    contentSecurityPolicy: [
      "default-src 'none'",
      `style-src '${digest(style)}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}
