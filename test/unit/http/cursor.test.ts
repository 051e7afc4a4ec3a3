import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CursorScope, openCursor, sealCursor } from '../../../shared/http/cursor.ts';
import { openKeyring } from '../../../shared/platform/keyring.ts';
import { Failure } from '../../../shared/system/failure.ts';

const keyring = openKeyring('a root secret of more than 32 characters');
const word = fc.string({ maxLength: 8 });
const scope: fc.Arbitrary<CursorScope> = fc.record({
  caller: fc.record({
    kind: fc.constant('api_key' as const),
    account: word,
    env: fc.constantFrom('live' as const, 'sandbox' as const),
    form: fc.constantFrom(1 as const, 2 as const),
  }),
  route: word,
  user: word,
  query: fc.dictionary(word, fc.oneof(word, fc.integer())),
});

const tryOpen = (cursor: string, within: CursorScope): string | undefined => {
  try {
    return openCursor(keyring, within, cursor);
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid_cursor') return undefined;
    throw error;
  }
};

test('a cursor opens in its own scope, regardless of the order of the parameters', () => {
  fc.assert(
    fc.property(scope, word, (ownScope, position) => {
      const cursor = sealCursor(keyring, ownScope, position);
      const reordered = Object.fromEntries(Object.entries(ownScope.query).reverse());
      expect(tryOpen(cursor, { ...ownScope, query: reordered })).toBe(position);
    }),
  );
});

test('a cursor opens in no other scope', () => {
  const plain = ({ caller, route, user, query }: CursorScope) =>
    JSON.stringify([
      caller.account,
      caller.env,
      route,
      user,
      Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
  fc.assert(
    fc.property(scope, scope, word, (ownScope, other, position) => {
      const cursor = sealCursor(keyring, ownScope, position);
      const mixed: CursorScope[] = [
        other,
        { ...ownScope, caller: other.caller },
        { ...ownScope, route: other.route },
        { ...ownScope, user: other.user ?? '' },
        { ...ownScope, query: other.query },
        { ...ownScope, query: { ...ownScope.query, extra: 1 } },
      ];
      for (const each of mixed)
        expect(tryOpen(cursor, each)).toBe(plain(each) === plain(ownScope) ? position : undefined);
    }),
  );
});

test('a cursor is opaque', () => {
  fc.assert(
    fc.property(scope, fc.string({ minLength: 6 }), (ownScope, position) => {
      const cursor = sealCursor(keyring, ownScope, position);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(Buffer.from(cursor, 'base64url').includes(position)).toBe(false);
    }),
  );
});

test('without a cursor there is no position', () => {
  fc.assert(fc.property(scope, (ownScope) => openCursor(keyring, ownScope, undefined) === undefined));
});
