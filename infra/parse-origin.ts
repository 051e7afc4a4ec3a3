/** The origin of a URL without a path, such as `https://daybook.example.com`; undefined for any other text. */
export function parseOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username)
    return undefined;
  return url.origin;
}
