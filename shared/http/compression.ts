// Compresses a response with the encoding that the caller prefers.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from './api-env.ts';
import { readResponse, replaceResponse } from './replace-response.ts';

const minCompressionBytes = 1024;

export const compressResponse: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  const { status, headers, body } = c.res;
  // A 304 has no body, but the headers of the response that the caller already has.
  if (body !== null || status === 304) headers.append('Vary', 'Accept-Encoding');
  const encoding = negotiateEncoding(c.req.header('accept-encoding'));
  if (body === null || !encoding) return;
  const uncompressed = await readResponse(c.res);
  if (uncompressed.length < minCompressionBytes) return replaceResponse(c, uncompressed, { status, headers });
  headers.set('Content-Encoding', encoding);
  replaceResponse(c, compress(uncompressed, encoding), { status, headers });
};

const compress = (uncompressed: Uint8Array, encoding: 'br' | 'gzip'): Uint8Array<ArrayBuffer> =>
  encoding === 'gzip'
    ? gzipSync(uncompressed)
    : brotliCompressSync(uncompressed, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

/** The encoding that the caller prefers; br if both are equally acceptable. */
function negotiateEncoding(header = ''): 'br' | 'gzip' | undefined {
  const qualities = new Map<string, number>();
  for (const each of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
    const quality = parameters.find((part) => part.startsWith('q='))?.slice('q='.length) ?? '1';
    qualities.set(name, Number(quality) || 0);
  }
  const qualityOf = (name: string): number => qualities.get(name) ?? qualities.get('*') ?? 0;
  const best = qualityOf('br') >= qualityOf('gzip') ? 'br' : 'gzip';
  return qualityOf(best) > 0 ? best : undefined;
}
