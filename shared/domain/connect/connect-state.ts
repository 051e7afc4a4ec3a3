// What travels through a browser and a vendor while consent is asked for: opaque, and good for one connection only.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Deps } from '../deps.ts';

const nonceBytes = 16;
const verifierBytes = 32;
const Contents = z.tuple([z.string(), z.string(), z.string()]);

export interface ConnectState {
  user: string;
  device: string;
  nonce: string;
}

export const newNonce = ({ random }: Pick<Deps, 'random'>): string =>
  Buffer.from(random.bytes(nonceBytes)).toString('base64url');

export const nonceHash = ({ keyring }: Pick<Deps, 'keyring'>, nonce: string): string =>
  keyring.hash('connect-nonce', nonce);

export const sealState = ({ keyring }: Pick<Deps, 'keyring'>, { user, device, nonce }: ConnectState): string =>
  keyring.seal('connect', JSON.stringify([user, device, nonce]), 'state');

/** Undefined for whatever we did not write. */
export function openState({ keyring }: Pick<Deps, 'keyring'>, state: string): ConnectState | undefined {
  const text = keyring.open('connect', state, 'state');
  if (text === undefined) return undefined;
  const [user, device, nonce] = Contents.parse(JSON.parse(text));
  return { user, device, nonce };
}

/** PKCE's secret, and what the vendor is shown of it at first. */
export const newVerifier = ({ random }: Pick<Deps, 'random'>): string =>
  Buffer.from(random.bytes(verifierBytes)).toString('base64url');
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export const sealVerifier = ({ keyring }: Pick<Deps, 'keyring'>, verifier: string, device: string): string =>
  keyring.seal('connect', verifier, device);

export function openVerifier({ keyring }: Pick<Deps, 'keyring'>, sealed: string, device: string): string {
  const verifier = keyring.open('connect', sealed, device);
  if (verifier === undefined)
    throw new Error('the verifier of a connection does not open: was the root secret replaced?');
  return verifier;
}
