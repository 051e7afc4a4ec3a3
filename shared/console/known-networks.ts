// Networks in which a colleague signed in. They are stored as keyed hashes, because only the question
// whether one is known has to be answered.
import type { Deps } from '../system/deps.ts';

/** Of each colleague: the office, home, the phone and a few more. */
export const maxKnownNetworks = 8;

/** Where a request for a link comes from: a network, or an account that invites. */
export const hashSource = (deps: Pick<Deps, 'keyring'>, source: { network: string } | { account: string }): string =>
  toAttributeName(deps.keyring.hash('sign-in-source', JSON.stringify(source)));

/** Names in expressions are letters, digits and underscores. */
export const toAttributeName = (hash: string): string => Buffer.from(hash).toString('hex').slice(0, 32);

/** The networks after a sign-in, the last one at the end. */
export function addKnownNetwork(
  deps: Pick<Deps, 'keyring'>,
  known: readonly string[],
  network: string | null | undefined,
): string[] {
  if (network === null || network === undefined) return [...known];
  const hash = hashSource(deps, { network });
  return [...known.filter((each) => each !== hash), hash].slice(-maxKnownNetworks);
}
