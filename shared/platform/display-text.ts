// Text that strangers chose, such as names, as pages and terminals show it. It is stored as it was
// sent.

/** Characters that change the direction or the order of the text around them, or that nobody sees. */
export const directionControls = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** One line without characters that could change how the text around it is read. */
export const toDisplayLine = (text: string): string =>
  text.toWellFormed().replaceAll(unprintable, ' ').replaceAll(directionControls, '');

/**
 * For a terminal, which obeys control characters: shows their codes instead. Line breaks stay,
 * because output has several lines.
 */
export const escapeForTerminal = (text: string): string =>
  text
    .replaceAll(unprintable, (character) => (character === '\n' ? character : toCode(character)))
    .replaceAll(directionControls, toCode);

/** One line of a terminal's table. No cell can add a line. */
export const renderRow = (...cells: readonly string[]): string =>
  cells.map((cell) => escapeForTerminal(cell).replaceAll('\n', toCode)).join('  ');

const toCode = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
