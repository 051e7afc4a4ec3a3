// A number for a text, always the same: for vendors that name things by numbers.
import { createHash } from 'node:crypto';

/** Below four billion. */
export const numberFromText = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0);
