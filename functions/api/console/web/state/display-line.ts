// Text that strangers chose, such as names, as pages show it. The API returns it as it was sent.

/** One line without characters that change the direction of the text around them. */
export const toDisplayLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').replaceAll(/\p{Bidi_Control}/gu, '');
