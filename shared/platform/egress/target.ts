// Which URLs may be the target of requests. The URL is checked here by its text; the address it
// leads to is checked at every connection.
import { classifyAddress } from './address.ts';

export interface EgressRules {
  /** On a laptop, services on the same machine may be called, also without TLS. */
  loopback: boolean;
}

/** Host names that are internal by convention. */
const internalSuffixes = [
  '.localhost',
  '.local',
  '.localdomain',
  '.internal',
  '.intranet',
  '.home.arpa',
  '.lan',
  '.corp',
];
/** Ports above 1023 of protocols that the text of an HTTP request could be used to attack. */
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080, 11211, 27017,
]);

/** Why a URL cannot be called, in a message for the caller who sent it; undefined if it can. */
export function findTargetProblem(text: string, rules: EgressRules): string | undefined {
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  const isLoopback = rules.loopback && isLoopbackName(hostOf(url));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))
    return rules.loopback
      ? 'must start with https:// (http:// is accepted only for localhost, because this deployment runs on your own machine)'
      : 'must start with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.hash !== '') return 'must not have a fragment';
  return (isLoopback ? undefined : findHostProblem(hostOf(url))) ?? findPortProblem(url, isLoopback);
}

/**
 * The host as an address or a name, without the brackets of IPv6. The URL parser has already
 * normalized decimal, octal and hexadecimal notations.
 */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const isLoopbackName = (host: string): boolean => host === 'localhost' || classifyAddress(host) === 'loopback';

function findHostProblem(host: string): string | undefined {
  const kind = classifyAddress(host);
  if (kind !== undefined) return kind === 'public' ? undefined : 'must not be a private, local or reserved address';
  if (host.endsWith('.')) return 'must not have a host that ends with a dot';
  if (!host.includes('.') || internalSuffixes.some((suffix) => host.endsWith(suffix)))
    return 'must have a public host name';
  return undefined;
}

function findPortProblem(url: URL, isLoopback: boolean): string | undefined {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (isLoopback && port > 0) return undefined;
  if (port === 443 || port === 80 || (port > 1023 && !blockedPorts.has(port))) return undefined;
  return 'must use port 443, port 80 or a port above 1023 that no other protocol uses';
}
