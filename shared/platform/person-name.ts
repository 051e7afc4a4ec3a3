// The name of a person, as callers send it and as messages show it.
import * as z from 'zod';

/**
 * Joiners are letters in some scripts. Any other invisible character, a line break or a stack of
 * combining marks is not part of a name.
 */
const unreadable = /[\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|(?![\u200c\u200d])\p{C}|\p{M}{5}/u;
const readable = /\p{L}|\p{N}/u;
/**
 * Mail clients turn these into links, also with the full stops of other scripts. Initials may be
 * written without spaces.
 */
const webAddress = /[/\\@:]|[.\u3002\uff0e\uff61](?:\p{N}|[\p{L}\p{M}]{2})/u;

export const PersonName = z
  .string()
  .trim()
  .min(1, 'must not be empty; leave it out, or send null')
  .max(100)
  .refine((text) => (text === '' || readable.test(text)) && !unreadable.test(text), 'must be one line of readable text')
  .refine((text) => !webAddress.test(text), 'must not look like a web address; put a space after a full stop');
