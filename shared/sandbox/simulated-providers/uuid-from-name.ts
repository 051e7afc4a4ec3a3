import { createHash } from 'node:crypto';

// The UUIDs that providers use as ids, derived from names in simulated days.

/** The same name always yields the same UUID. Its version is 8, which is for custom formats. */
export function uuidFromName(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Less than 2^32. */
export const numberFromText = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0);
