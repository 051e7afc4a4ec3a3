// Requests that nobody made by hand: a look at the headers, or a browser that loads a page before
// the person asks for it.

interface Asked {
  method: string;
  header(name: string): string | undefined;
}

/** Some browsers load a page before it is asked for, and say so in one of these. */
export const isPrefetch = ({ header }: Asked): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(header(name) ?? ''),
  );

export const isSpeculative = (asked: Asked): boolean => asked.method === 'HEAD' || isPrefetch(asked);
