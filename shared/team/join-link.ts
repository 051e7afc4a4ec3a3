// The link in an invitation's message: opaque, good for one invitation only, and known here by a hash.
import * as z from 'zod';
import { Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { maxMessagesPerInvitation, normalizeEmail } from './team.ts';

const saltBytes = 32;
const Contents = z.tuple([z.string(), Environment, z.string(), z.string()]);

export interface JoinLink {
  account: string;
  env: Environment;
  invitation: string;
  /** Of what it holds; stands on the invitation for as long as the link is good. */
  linkHash: string;
}

const hashNonce = ({ keyring }: Pick<Deps, 'keyring'>, nonce: string): string => keyring.hash('join-link', nonce);

/** What the link of one message is made from. It opens nothing without the keyring. */
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

/** The link of the newest message, and the hashes of the invitation's links from then on. Every try of a message has the same: none that failed takes the place of one that arrived. */
export function buildJoinLink(
  deps: Pick<Deps, 'keyring'>,
  { account, env, id, origin, links, mail }: LinkedInvitation,
): { url: string; links: string[] } {
  const nonce = deps.keyring.hash('join-nonce', JSON.stringify([account, env, id, mail.linkSalt]));
  const token = deps.keyring.seal('join', JSON.stringify([account, env, id, nonce]), 'link');
  const all = new Set([hashNonce(deps, nonce), ...links]);
  return { url: `${origin}/join/${token}`, links: [...all].slice(0, maxMessagesPerInvitation) };
}

/** Undefined for whatever we did not write. */
export function openJoinLink(deps: Pick<Deps, 'keyring'>, token: string): JoinLink | undefined {
  const text = deps.keyring.open('join', token, 'link');
  if (text === undefined) return undefined;
  const [account, env, invitation, nonce] = Contents.parse(JSON.parse(text));
  return { account, env, invitation, linkHash: hashNonce(deps, nonce) };
}

/** An address in any spelling; of no use outside of its team. */
export const hashEmail = (
  { keyring }: Pick<Deps, 'keyring'>,
  { account, env }: { account: string; env: Environment },
  email: string,
): string => keyring.hash('team-email', JSON.stringify([account, env, normalizeEmail(email)]));
