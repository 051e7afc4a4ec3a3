import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openKeyring, ungrantedKeyring } from '../../../shared/platform/keyring.ts';

const keyring = openKeyring('a root secret of more than 32 characters');
const text = fc.string({ unit: 'grapheme' });

describe('a sealed text', () => {
  test('opens with the same purpose and context, in any process with the same root secret', () => {
    const another = openKeyring('a root secret of more than 32 characters');
    fc.assert(
      fc.property(text, text, text, (purpose, content, context) => {
        expect(another.open(purpose, keyring.seal(purpose, content, context), context)).toBe(content);
      }),
    );
  });

  test('opens with nothing else', () => {
    const foreign = openKeyring('a root secret of more than 32 charactersX');
    fc.assert(
      fc.property(text, text, text, text, (purpose, content, context, other) => {
        const sealed = keyring.seal(purpose, content, context);
        if (other !== purpose) expect(keyring.open(other, sealed, context)).toBeUndefined();
        if (other !== context) expect(keyring.open(purpose, sealed, other)).toBeUndefined();
        expect(foreign.open(purpose, sealed, context)).toBeUndefined();
      }),
    );
  });

  test('does not open after any bit has changed', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 0, max: 7 }), (content, position, bit) => {
        const bytes = Buffer.from(keyring.seal('p', content, 'c'), 'base64url');
        const at = position % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        expect(keyring.open('p', bytes.toString('base64url'), 'c')).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('does not open when it was cut, extended or encoded differently', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.string({ minLength: 1 }), (content, position, more) => {
        const sealed = keyring.seal('p', content, 'c');
        expect(keyring.open('p', sealed.slice(0, position % sealed.length), 'c')).toBeUndefined();
        expect(keyring.open('p', sealed + more, 'c')).toBeUndefined();
        expect(keyring.open('p', more + sealed, 'c')).toBeUndefined();
      }),
    );
    expect(keyring.open('p', '', 'c')).toBeUndefined();
  });

  test('is different every time', () => {
    expect(new Set(Array.from({ length: 100 }, () => keyring.seal('p', 'same', 'c'))).size).toBe(100);
  });
});

describe('a hash', () => {
  test('is the same for the same text and purpose, and for nothing else', () => {
    fc.assert(
      fc.property(text, text, text, (purpose, content, other) => {
        const hash = keyring.hash(purpose, content);
        expect(hash).toMatch(/^[\w-]{43}$/);
        expect(keyring.hash(purpose, content)).toBe(hash);
        if (other !== content) expect(keyring.hash(purpose, other)).not.toBe(hash);
        if (other !== purpose) expect(keyring.hash(other, content)).not.toBe(hash);
      }),
    );
  });
});

test('a short root secret is rejected, and a keyring without one does nothing', () => {
  expect(() => openKeyring('x'.repeat(31))).toThrow('at least 32 characters');
  expect(() => ungrantedKeyring.hash('p', 't')).toThrow('not granted the root secret');
  expect(() => ungrantedKeyring.seal('p', 't', 'c')).toThrow('not granted the root secret');
  expect(() => ungrantedKeyring.open('p', 't', 'c')).toThrow('not granted the root secret');
});
