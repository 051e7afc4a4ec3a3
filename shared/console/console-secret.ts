// The secrets of the console: links to sign in and sessions. Each is 256 random bits with a proof
// that only this deployment can compute, so an invented one is rejected without a lookup. Only keyed
// hashes of them are stored.
import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../system/deps.ts';

export type SecretPurpose = 'sign-in-link' | 'console-session';

const randomBytes = 32;
const randomCharacters = 43;
const proofCharacters = 8;
const pattern = new RegExp(`^[\\w-]{${randomCharacters + proofCharacters}}$`);

export interface NewSecret {
  /** Shown once. */
  text: string;
  /** The stored form. */
  hash: string;
}

type SecretDeps = Pick<Deps, 'keyring' | 'random'>;

const computeProof = ({ keyring }: Pick<Deps, 'keyring'>, purpose: SecretPurpose, random: string): string =>
  keyring.hash(`${purpose}-proof`, random).slice(0, proofCharacters);

export function newSecret(deps: SecretDeps, purpose: SecretPurpose): NewSecret {
  const random = Buffer.from(deps.random.bytes(randomBytes)).toString('base64url');
  const text = random + computeProof(deps, purpose, random);
  return { text, hash: deps.keyring.hash(purpose, text) };
}

/** Undefined for text that cannot be a secret of this deployment. Reads nothing from the table. */
export function hashIfSecret(deps: Pick<Deps, 'keyring'>, purpose: SecretPurpose, text: string): string | undefined {
  if (!pattern.test(text)) return undefined;
  const expected = computeProof(deps, purpose, text.slice(0, randomCharacters));
  const isGenuine = timingSafeEqual(Buffer.from(expected), Buffer.from(text.slice(randomCharacters)));
  return isGenuine ? deps.keyring.hash(purpose, text) : undefined;
}
