// Cursors are sealed: they are opaque, and valid only for the caller, route, user and query they
// were created for.
import type { Keyring } from '../platform/ports.ts';
import type { Caller } from '../system/caller.ts';
import { Failure } from '../system/failure.ts';

export interface CursorScope {
  caller: Caller;
  route: string;
  user?: string;
  /** Every parameter that the page depends on, except for the cursor itself. */
  query: Record<string, string | number | boolean | undefined>;
}

const contextOf = ({ caller, route, user, query }: CursorScope): string =>
  JSON.stringify([caller.account, caller.env, route, user ?? null, Object.entries(query).sort()]);

export const sealCursor = (keyring: Keyring, scope: CursorScope, position: string): string =>
  keyring.seal('cursor', position, contextOf(scope));

export function openCursor(keyring: Keyring, scope: CursorScope, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const position = keyring.open('cursor', cursor, contextOf(scope));
  if (position === undefined)
    throw new Failure(
      'invalid_cursor',
      'The cursor does not match this request. Send the cursor of the previous response unchanged, with the same parameters.',
    );
  return position;
}
