// Requests that nobody made by hand: a look at the headers, or a browser that loads a page before
// the person asks for it.

type RequestHead = Pick<Request, 'method' | 'headers'>;

/** Some browsers load a page before it is asked for, and say so in one of these. */
export const isPrefetch = ({ headers }: RequestHead): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(headers.get(name) ?? ''),
  );

export const isSpeculative = (request: RequestHead): boolean => request.method === 'HEAD' || isPrefetch(request);
