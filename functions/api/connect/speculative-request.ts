// Detects speculative requests: HEAD requests, and pages that a browser loads before the user opens
// them.

type RequestHead = Pick<Request, 'method' | 'headers'>;

/** Browsers announce a prefetch in one of these headers. */
export const isPrefetch = ({ headers }: RequestHead): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(headers.get(name) ?? ''),
  );

export const isSpeculative = (request: RequestHead): boolean => request.method === 'HEAD' || isPrefetch(request);
