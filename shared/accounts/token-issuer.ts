// Who issues user tokens, and for whom.
import type { Deps } from '../system/deps.ts';

export const tokenAudience = 'daybook';
export const userTokenLifetimeMs = 3600 * 1000;

/** Identifies the deployment, so that a token of another deployment is never valid here. */
export const tokenIssuer = (deps: Pick<Deps, 'keyring'>): string =>
  `daybook:${deps.keyring.hash('issuer', '').slice(0, 22)}`;
