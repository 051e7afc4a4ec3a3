// Whether passkeys can be used at this deployment's address. A passkey belongs to a domain for good,
// so the domain must be the deployment's own.
import { isLoopbackHost } from '../platform/loopback.ts';
import type { DeploymentFacts } from '../system/deps.ts';
import type { PasskeySupport } from './colleague.ts';
import type { PasskeyRow } from './passkey-rows.ts';

/** `origin` is the URL at which the caller reached the service. */
export function findPasskeySupport({ kind, baseUrl }: DeploymentFacts, origin: string): PasskeySupport {
  const reason = findReasonAgainst(kind, baseUrl, new URL(origin));
  return { available: reason === null, reason };
}

/** Browsers offer a passkey only at the domain it was created for, and it is accepted only at its own origin. */
export const isUsableAt = (
  deployment: DeploymentFacts,
  { origin: created }: Pick<PasskeyRow, 'origin'>,
  origin: string,
): boolean => created === origin && findPasskeySupport(deployment, origin).available;

function findReasonAgainst(kind: DeploymentFacts['kind'], baseUrl: string | undefined, origin: URL): string | null {
  if (kind === 'aws' && baseUrl === undefined)
    return 'This deployment has no address of its own, and passkeys belong to an address for good. Set a base URL for it; until then, sign in with links.';
  if (/^[\d.]+$|^\[/.test(origin.hostname))
    return `Passkeys need a name, not the address ${origin.hostname}. Open the console at http://localhost or at the deployment's own name.`;
  if (origin.protocol !== 'https:' && !isLoopbackHost(origin.hostname))
    return 'Passkeys need https. Open the console at an https address.';
  return null;
}
