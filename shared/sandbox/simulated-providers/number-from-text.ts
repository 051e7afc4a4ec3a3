// A stable number for a text, for providers that use numeric ids.
import { createHash } from 'node:crypto';

/** Less than 2^32. */
export const numberFromText = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0);
