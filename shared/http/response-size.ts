// How a response fits into a Lambda result: as plain text, or as bytes in base64.

/** Lambda accepts 6 MiB of JSON, including headers. */
const maxResultBytes = 6_000_000;
/** Base64 takes four bytes for every three. */
const maxBytesInBase64 = (maxResultBytes / 4) * 3;

export const fitsInResult = (body: Uint8Array, headers: Headers): boolean =>
  body.length <= maxBytesInBase64 || fitsAsText(body, headers);

/**
 * True unless the body is compressed, is not text, or grows too long when its quotes are escaped in
 * JSON.
 */
export const fitsAsText = (body: Uint8Array, headers: Headers): boolean =>
  !headers.has('content-encoding') &&
  /^(text\/|application\/json)/.test(headers.get('content-type') ?? 'text/') &&
  fitsWhenEscaped(body);

/** Escaped, a control character takes six bytes, and a quote or a backslash two. */
function fitsWhenEscaped(text: Uint8Array): boolean {
  if (text.length * 6 <= maxResultBytes) return true;
  let bytes = text.length;
  for (const byte of text) {
    if (byte < 0x20) bytes += 5;
    else if (byte === 0x22 || byte === 0x5c) bytes += 1;
  }
  return bytes <= maxResultBytes;
}
