// Text that callers send and Daybook stores.
import * as z from 'zod';

/** Refuses half of a character (a lone surrogate), in whose place the table would store another one. */
export const UnicodeText = z.string().refine((text) => text.isWellFormed(), 'must be valid Unicode');
