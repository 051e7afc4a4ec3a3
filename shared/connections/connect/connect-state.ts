// The opaque state that passes through a browser and a provider while consent is pending. It is
// valid for one connection only.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Deps } from '../../system/deps.ts';

const nonceBytes = 16;
const verifierBytes = 32;
const StateContents = z.tuple([z.string(), z.string(), z.string()]);
const BoundStateContents = z.tuple([z.string(), z.string(), z.string(), z.string()]);

export interface ConnectState {
  user: string;
  device: string;
  nonce: string;
}

/** The state as passed to a provider: valid only in the browser that opened the link. */
export interface BoundState extends ConnectState {
  browserHash: string;
}

type KeyringDeps = Pick<Deps, 'keyring'>;

export const newNonce = ({ random }: Pick<Deps, 'random'>): string =>
  Buffer.from(random.bytes(nonceBytes)).toString('base64url');

/** Checks for the format of `newNonce`, because a browser may send anything. */
export const isNonce = (text: string): boolean => /^[\w-]{22}$/.test(text);

export const nonceHash = ({ keyring }: KeyringDeps, nonce: string): string => keyring.hash('connect-nonce', nonce);

const hashBrowser = ({ keyring }: KeyringDeps, browser: string): string =>
  keyring.hash('connect-browser', browser).slice(0, 22);

/** The state of a link: everyone who receives the link has it. */
export const sealState = ({ keyring }: KeyringDeps, { user, device, nonce }: ConnectState): string =>
  keyring.seal('connect', JSON.stringify([user, device, nonce]), 'state');

/** Returns undefined for any state that this deployment did not issue. */
export function openState({ keyring }: KeyringDeps, state: string): ConnectState | undefined {
  const text = keyring.open('connect', state, 'state');
  if (text === undefined) return undefined;
  const [user, device, nonce] = StateContents.parse(JSON.parse(text));
  return { user, device, nonce };
}

/** `browser` is a nonce that only this browser has. */
export const bindState = (deps: KeyringDeps, { user, device, nonce }: ConnectState, browser: string): string =>
  deps.keyring.seal('connect', JSON.stringify([user, device, nonce, hashBrowser(deps, browser)]), 'browser');

/**
 * Returns undefined for any state that this deployment did not issue, and for the state of a link.
 */
export function openBoundState({ keyring }: KeyringDeps, state: string): BoundState | undefined {
  const text = keyring.open('connect', state, 'browser');
  if (text === undefined) return undefined;
  const [user, device, nonce, browserHash] = BoundStateContents.parse(JSON.parse(text));
  return { user, device, nonce, browserHash };
}

export const isSameBrowser = (deps: KeyringDeps, { browserHash }: BoundState, browser: string | undefined): boolean =>
  browser !== undefined && hashBrowser(deps, browser) === browserHash;

/** The PKCE verifier is secret; the provider first receives only its challenge. */
export const newVerifier = ({ random }: Pick<Deps, 'random'>): string =>
  Buffer.from(random.bytes(verifierBytes)).toString('base64url');
export const computeChallenge = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export const sealVerifier = ({ keyring }: KeyringDeps, verifier: string, device: string): string =>
  keyring.seal('connect', verifier, device);

export function openVerifier({ keyring }: KeyringDeps, sealed: string, device: string): string {
  const verifier = keyring.open('connect', sealed, device);
  if (verifier === undefined)
    throw new Error('the PKCE verifier of a connection cannot be opened: was the root secret replaced?');
  return verifier;
}
