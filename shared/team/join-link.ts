// The link in an invitation's message: opaque, valid for one invitation only, and stored only as a
// hash.
import * as z from 'zod';
import { normalizeEmail } from '../platform/mail-address.ts';
import { Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { maxMessagesPerInvitation } from './team.ts';

const saltBytes = 32;
const Contents = z.tuple([z.string(), Environment, z.string(), z.string()]);

export interface JoinLink {
  account: string;
  env: Environment;
  invitation: string;
  /** The hash of the link's nonce. It is on the invitation for as long as the link is valid. */
  linkHash: string;
}

const hashNonce = ({ keyring }: Pick<Deps, 'keyring'>, nonce: string): string => keyring.hash('join-link', nonce);

/** The salt that the link of one message is derived from. It is useless without the keyring. */
export const newLinkSalt = ({ random }: Pick<Deps, 'random'>): string =>
  Buffer.from(random.bytes(saltBytes)).toString('base64url');

interface LinkedInvitation {
  account: string;
  env: Environment;
  id: string;
  origin: string;
  links: readonly string[];
  mail: { linkSalt: string };
}

/**
 * Returns the link of the newest message, and the hashes of all links of the invitation. Every
 * attempt to send a message uses the same link, so a failed attempt never replaces a link that
 * arrived.
 */
export function buildJoinLink(
  deps: Pick<Deps, 'keyring'>,
  { account, env, id, origin, links, mail }: LinkedInvitation,
): { url: string; links: string[] } {
  const nonce = deps.keyring.hash('join-nonce', JSON.stringify([account, env, id, mail.linkSalt]));
  const token = deps.keyring.seal('join', JSON.stringify([account, env, id, nonce]), 'link');
  const all = new Set([hashNonce(deps, nonce), ...links]);
  return { url: `${origin}/join/${token}`, links: [...all].slice(0, maxMessagesPerInvitation) };
}

/** Returns undefined for any token that this deployment did not issue. */
export function openJoinLink(deps: Pick<Deps, 'keyring'>, token: string): JoinLink | undefined {
  const text = deps.keyring.open('join', token, 'link');
  if (text === undefined) return undefined;
  const [account, env, invitation, nonce] = Contents.parse(JSON.parse(text));
  return { account, env, invitation, linkHash: hashNonce(deps, nonce) };
}

/** Hashes an address in any spelling. The hash is of no use outside its team. */
export const hashEmail = (
  { keyring }: Pick<Deps, 'keyring'>,
  { account, env }: { account: string; env: Environment },
  email: string,
): string => keyring.hash('team-email', JSON.stringify([account, env, normalizeEmail(email)]));
