import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type IdKind, idPrefixes, makeId, UserId } from '../../../shared/system/ids.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const kinds = Object.keys(idPrefixes).filter((name): name is IdKind => name in idPrefixes);
const kind = fc.constantFrom(...kinds);
const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const random = fc.uint8Array({ minLength: 10, maxLength: 10 });

test('an id created later sorts later, regardless of its random part', () => {
  fc.assert(
    fc.property(kind, time, time, random, random, (each, a, b, one, two) => {
      fc.pre(a !== b);
      expect(makeId(each, a, one) < makeId(each, b, two)).toBe(a < b);
    }),
  );
});

test('an id is its prefix and 26 characters that encode the time and all of the randomness', () => {
  fc.assert(
    fc.property(kind, time, random, (each, now, bytes) => {
      const id = makeId(each, now, bytes);
      const prefix = `${idPrefixes[each]}_`;
      expect(id.startsWith(prefix)).toBe(true);
      const text = id.slice(prefix.length);
      expect(text).toMatch(new RegExp(`^[${alphabet}]{26}$`));
      const number = [...text].reduce((sum, digit) => sum * 32n + BigInt(alphabet.indexOf(digit)), 0n);
      expect(number >> 80n).toBe(BigInt(now));
      expect(number & (2n ** 80n - 1n)).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
    }),
  );
});

test('prefixes distinguish the kinds', () => {
  expect(new Set(Object.values(idPrefixes)).size).toBe(kinds.length);
  fc.assert(
    fc.property(kind, time, random, (each, now, bytes) => {
      expect(UserId.safeParse(makeId(each, now, bytes)).success).toBe(each === 'user');
    }),
  );
});
