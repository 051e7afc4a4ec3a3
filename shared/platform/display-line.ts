// Text that strangers chose, such as names, as pages show it. The API returns it as it was sent.

/** Characters without a width or a shape. Two joiners make emoji and words of several scripts: one stays. */
const withoutShape = /[\u00ad\u115f\u1160\u180e\u200b\u2060-\u2064\u3164\ufeff\uffa0]|\u034f|[\u{e0000}-\u{e007f}]/gu;
const manyJoiners = /(?<joiner>[\u200c\u200d])[\u200c\u200d]+/gu;

/** Without characters that cannot be seen or change the direction of the text around them. */
export const removeInvisible = (text: string): string =>
  text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(withoutShape, '')
    .replaceAll(manyJoiners, '$<joiner>');

/** The same, as one line. */
export const toDisplayLine = (text: string): string => removeInvisible(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' '));

/** The same, with its lines. */
export const toDisplayText = (text: string): string => text.split(/\r?\n/).map(toDisplayLine).join('\n');

/** What a reader could not point at is shown by something else, such as an id. */
export function chooseVisible(text: string | null, otherwise: string): string {
  const line = toDisplayLine(text ?? '');
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(line) ? line : otherwise;
}
