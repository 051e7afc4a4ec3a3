import { expect, test } from 'vitest';
import {
  computeChallenge,
  newVerifier,
  openState,
  openVerifier,
  sealState,
  sealVerifier,
} from '../../../../shared/connections/connect/connect-state.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';

test('the challenge is the digest of the verifier, as in RFC 7636', () => {
  expect(computeChallenge('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
});

test('a sealed verifier or state opens only in its own context and cannot be forged', () => {
  const { deps } = memoryDeps();
  const verifier = newVerifier(deps);
  expect(verifier).toMatch(/^[\w-]{43}$/);
  const sealed = sealVerifier(deps, verifier, 'dev_1');
  expect(sealed).not.toContain(verifier);
  expect(openVerifier(deps, sealed, 'dev_1')).toBe(verifier);
  expect(() => openVerifier(deps, sealed, 'dev_2')).toThrow('cannot be opened');
  const state = { user: 'usr_1', device: 'dev_1', nonce: 'n' };
  expect(openState(deps, sealState(deps, state))).toEqual(state);
  expect([openState(deps, sealed), openState(deps, 'made up')]).toEqual([undefined, undefined]);
});
