// How an answer fits into what a function may return: text as it is, or bytes in base64.

/** Lambda takes 6 MiB of JSON, headers included. */
const maxResultBytes = 6_000_000;
/** In base64 four bytes carry three. */
const maxBytesInBase64 = (maxResultBytes / 4) * 3;

export const fitsInResult = (body: Uint8Array, headers: Headers): boolean =>
  body.length <= maxBytesInBase64 || fitsAsText(body, headers);

/** Unless it is compressed, or has so many quotes, which are escaped in JSON, that it would be too long. */
export const fitsAsText = (body: Uint8Array, headers: Headers): boolean =>
  !headers.has('content-encoding') &&
  /^(text\/|application\/json)/.test(headers.get('content-type') ?? 'text/') &&
  fitsWhenEscaped(body);

/** A control character takes six bytes, a quote or a backslash two. */
function fitsWhenEscaped(text: Uint8Array): boolean {
  if (text.length * 6 <= maxResultBytes) return true;
  let bytes = text.length;
  for (const byte of text) {
    if (byte < 0x20) bytes += 5;
    else if (byte === 0x22 || byte === 0x5c) bytes += 1;
  }
  return bytes <= maxResultBytes;
}
