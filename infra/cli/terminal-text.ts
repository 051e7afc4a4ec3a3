// Text for a terminal, which obeys control characters. Names and reasons come from strangers.

const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Shows the codes of control characters instead. Line breaks stay, because output has several lines. */
export const escapeForTerminal = (text: string): string =>
  text.replaceAll(controlCharacters, (character) => (character === '\n' ? character : toCode(character)));

/** The same JSON, with control characters in its strings written as escape sequences. */
export const renderJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** One line of a table. No cell can add another. */
export const renderRow = (...cells: readonly string[]): string =>
  cells.map((cell) => cell.replaceAll(controlCharacters, toCode)).join('  ');

const toCode = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
