// The link in an invitation's message: opaque, good for one invitation only, and known here by a hash.
import * as z from 'zod';
import { Environment } from '../../model/account.ts';
import { comparableEmail } from '../../model/team.ts';
import type { Deps } from '../deps.ts';

const nonceBytes = 32;
/** Of an invitation: what was sent before stays good when it is sent again. */
const mostLinks = 10;
const Contents = z.tuple([z.string(), Environment, z.string(), z.string()]);

export interface JoinLink {
  account: string;
  env: Environment;
  invitation: string;
  /** Of what it holds; stands on the invitation for as long as the link is good. */
  linkHash: string;
}

const hashOf = ({ keyring }: Pick<Deps, 'keyring'>, nonce: string): string => keyring.hash('join-link', nonce);

/** A new link, and the hashes of the invitation's links from then on. */
export function newJoinLink(
  deps: Pick<Deps, 'keyring' | 'random'>,
  invitation: { account: string; env: Environment; id: string; origin: string; links: readonly string[] },
): { url: string; links: string[] } {
  const { account, env, id, origin, links } = invitation;
  const nonce = Buffer.from(deps.random.bytes(nonceBytes)).toString('base64url');
  const token = deps.keyring.seal('join', JSON.stringify([account, env, id, nonce]), 'link');
  return { url: `${origin}/join/${token}`, links: [hashOf(deps, nonce), ...links].slice(0, mostLinks) };
}

/** Undefined for whatever we did not write. */
export function openJoinLink(deps: Pick<Deps, 'keyring'>, token: string): JoinLink | undefined {
  const text = deps.keyring.open('join', token, 'link');
  if (text === undefined) return undefined;
  const [account, env, invitation, nonce] = Contents.parse(JSON.parse(text));
  return { account, env, invitation, linkHash: hashOf(deps, nonce) };
}

/** An address in any spelling; of no use outside of its team. */
export const emailHashOf = (
  { keyring }: Pick<Deps, 'keyring'>,
  { account, env }: { account: string; env: Environment },
  email: string,
): string => keyring.hash('team-email', JSON.stringify([account, env, comparableEmail(email)]));
