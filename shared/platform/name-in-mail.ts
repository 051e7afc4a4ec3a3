// Names that strangers chose, as they appear in a message.
import { removeInvisible } from './display-line.ts';

const maxNameCharacters = 80;

/**
 * A name must not add a line or a link to the message. It is reduced to one line without text
 * direction controls, and an invisible joiner keeps mail clients from turning it into a link.
 */
export function sanitizeNameForMail(input: string): string {
  const line = removeInvisible(input.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')).trim();
  const characters = [...line];
  const short =
    characters.length > maxNameCharacters ? `${characters.slice(0, maxNameCharacters - 1).join('')}…` : line;
  return short.replaceAll(/[.:@](?=\S)/g, '$&\u2060');
}
