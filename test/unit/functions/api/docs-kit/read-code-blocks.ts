// The code blocks of a page as people see and copy them, by their names.
export function readCodeBlocks(html: string): Map<string, string> {
  const found = html.matchAll(/<pre tabindex="0" role="group" aria-label="([^"]+)"><code>([\s\S]*?)<\/code><\/pre>/g);
  return new Map([...found].map(([, label = '', code = '']) => [label, toText(code)]));
}

const toText = (markup: string): string =>
  markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
