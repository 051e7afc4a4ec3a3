// Text for a terminal, which obeys control characters. Names and reasons come from strangers.

const obeyed = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Shows the codes of control characters instead. Line breaks stay, because output has several lines. */
export const escapeForTerminal = (text: string): string =>
  text.replaceAll(obeyed, (character) => (character === '\n' ? character : toCode(character)));

/** One line of a table. No cell can add another. */
export const renderRow = (...cells: readonly string[]): string =>
  cells.map((cell) => cell.replaceAll(obeyed, toCode)).join('  ');

const toCode = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
