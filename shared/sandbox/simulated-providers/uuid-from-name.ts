// The UUIDs that vendors call things by, made of the names they have in a made-up life.
import { createHash } from 'node:crypto';

/** The same for the same name; its version is 8, which is whatever its maker likes. */
export function uuidFromName(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
