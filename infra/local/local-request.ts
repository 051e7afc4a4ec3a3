// Whether a request comes from a browser or a command on this machine. What only the person at this
// machine may see or do, such as reading stored mail, asks this first.
import type { IncomingHttpHeaders } from 'node:http';

export interface HostRequest {
  method: string | undefined;
  /** The path of the request line, without its query. */
  path: string;
  headers: IncomingHttpHeaders;
  /**
   * Every `Host` header that was sent, and the host of a request line that contains a whole URL.
   */
  hosts: readonly string[];
  httpVersion: string;
  remoteAddress: string | undefined;
  /** The port that received the request. */
  localPort: number | undefined;
}

const loopbackHostPattern = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i;
const loopbackAddresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/**
 * A proxy or tunnel on this machine also connects from loopback, and adds headers of its own. No
 * list of such headers is complete, so this lists the headers of browsers and curl instead.
 */
const browserHeaderPattern =
  /^(?:host|connection|keep-alive|user-agent|accept(?:-.+)?|cookie|referer|origin|authorization|cache-control|pragma|upgrade-insecure-requests|dnt|te|priority|purpose|content-(?:type|length)|transfer-encoding|if-.+|sec-.+)$/;

/**
 * A site whose name resolves to this machine (DNS rebinding) sends its own name in `Host`, and a
 * browser behind a tunnel (`ssh -R`) usually another port. Some proxies speak HTTP/1.0, which no
 * browser does.
 */
export const isLocalRequest = ({ headers, hosts, httpVersion, remoteAddress, localPort }: HostRequest): boolean =>
  hosts.length === 1 &&
  hosts.every((host) => {
    const [isLoopback, port = '80'] = loopbackHostPattern.exec(host) ?? [];
    return isLoopback !== undefined && Number(port) === localPort;
  }) &&
  httpVersion !== '1.0' &&
  loopbackAddresses.has(remoteAddress ?? '') &&
  Object.keys(headers).every((name) => browserHeaderPattern.test(name));

export const isLoopbackUrl = (url: string): boolean => loopbackHostPattern.test(new URL(url).host);
