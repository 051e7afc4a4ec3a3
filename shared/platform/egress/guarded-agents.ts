// Connections that reach only allowed addresses: checked after the name is resolved, and again on
// the open connection before a byte is sent.
import { lookup } from 'node:dns/promises';
import { Agent, type AgentOptions } from 'node:http';
import { Agent as TlsAgent, type AgentOptions as TlsOptions } from 'node:https';
import { connect, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { classifyAddress } from './address.ts';
import type { EgressRules } from './target.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

export class AddressRefused extends Error {
  constructor(what: string) {
    super(`${what} is not a public address`);
  }
}

interface Guard {
  resolve: Resolve;
  canReach(address: string): boolean;
}

interface ConnectionTarget {
  host?: string | null | undefined;
  port?: number | string | null | undefined;
}
type ConnectionCallback = (error: Error | null, stream: Duplex) => void;
/** The cast is safe because an agent that receives an error ignores the other arguments. */
const failWith =
  (done: ConnectionCallback) =>
  (error: Error): void =>
    (done as (error: Error) => void)(error);

const isAllowedAddress = (address: string, { loopback }: EgressRules): boolean => {
  const kind = classifyAddress(address);
  return kind === 'public' || (loopback && kind === 'loopback');
};
const allowAny = (): boolean => true;

const connectTimeoutMs = 10_000;

function connectGuarded(target: ConnectionTarget, guard: Guard): Promise<Socket> {
  const host = target.host ?? '';
  return new Promise((resolve, reject) => {
    // An address in the URL is not resolved, so it is checked here.
    if (classifyAddress(host) !== undefined && !guard.canReach(host)) throw new AddressRefused(host);
    const socket = connect({ host, port: Number(target.port), lookup: guardedLookup(guard), noDelay: true });
    socket.once('error', reject);
    socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error(`${host} could not be reached`)));
    socket.once('connect', () => {
      socket.off('error', reject).setTimeout(0).removeAllListeners('timeout');
      const remoteAddress = socket.remoteAddress ?? '';
      if (guard.canReach(remoteAddress)) return resolve(socket);
      socket.destroy();
      reject(new AddressRefused(remoteAddress === '' ? 'the remote address' : remoteAddress));
    });
  });
}

/**
 * A name with any disallowed address is rejected as a whole: no public service has an internal
 * address.
 */
const guardedLookup =
  (guard: Guard): LookupFunction =>
  (hostname, options, done) => {
    guard.resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        const disallowed = addresses.find(({ address }) => !guard.canReach(address));
        if (disallowed) done(new AddressRefused(`${hostname} (${disallowed.address})`), '');
        else if (!first) done(new Error(`${hostname} has no address`), '');
        else if (options.all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ''),
    );
  };

class GuardedAgent extends Agent {
  readonly guard: Guard;
  constructor(options: AgentOptions, guard: Guard) {
    super(options);
    this.guard = guard;
  }
  override createConnection(options: ConnectionTarget, done: ConnectionCallback): undefined {
    connectGuarded(options, this.guard).then((socket) => done(null, socket), failWith(done));
  }
}

class GuardedTlsAgent extends TlsAgent {
  readonly guard: Guard;
  constructor(options: TlsOptions, guard: Guard) {
    super(options);
    this.guard = guard;
  }
  override createConnection(options: ConnectionTarget & object, done: ConnectionCallback): undefined {
    const startTls = (socket: Socket) => super.createConnection({ ...options, ...{ socket } });
    connectGuarded(options, this.guard).then((socket) => {
      const stream = startTls(socket);
      if (stream) done(null, stream);
    }, failWith(done));
  }
}

export interface Agents {
  for(url: URL): Agent;
  /** For one request: a new connection that is not reused. */
  fresh(url: URL): Agent;
  /** Makes the next request open a new connection. */
  forget(url: URL): void;
}

interface PoolOptions {
  /** The maximum number of origins with open connections. */
  maxOrigins: number;
  tls?: TlsOptions;
}

export const createGuardedAgents = (
  { resolve, ...rules }: EgressRules & { resolve: Resolve },
  pools: PoolOptions,
): Agents => createAgents({ resolve, canReach: (address) => isAllowedAddress(address, rules) }, pools);

/** For hosts that Daybook chose itself. */
export const createUnguardedAgents = (resolve: Resolve, pools: PoolOptions): Agents =>
  createAgents({ resolve, canReach: allowAny }, pools);

/**
 * One agent per origin, so that no origin's connections crowd out those of another. The least
 * recently used idle agents are evicted first.
 */
function createAgents(guard: Guard, { maxOrigins, tls }: PoolOptions): Agents {
  const agents = new Map<string, Agent>();
  const keepAliveOptions: AgentOptions = { keepAlive: true, maxSockets: 64, maxFreeSockets: 8, scheduling: 'lifo' };
  const make = ({ protocol }: URL, options: AgentOptions): Agent =>
    protocol === 'https:' ? new GuardedTlsAgent({ ...options, ...tls }, guard) : new GuardedAgent(options, guard);
  return {
    for(url) {
      const agent = agents.get(url.origin) ?? make(url, keepAliveOptions);
      agents.delete(url.origin);
      agents.set(url.origin, agent);
      if (agents.size > maxOrigins) dropIdle(agents);
      return agent;
    },
    fresh: (url) => make(url, { keepAlive: false }),
    forget({ origin }) {
      agents.delete(origin);
    },
  };
}

function dropIdle(agents: Map<string, Agent>): void {
  for (const [origin, agent] of agents) {
    if (Object.keys(agent.sockets).length + Object.keys(agent.requests).length > 0) continue;
    agent.destroy();
    agents.delete(origin);
    return;
  }
}
