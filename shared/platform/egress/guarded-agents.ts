// Connections that only reach addresses the rules allow: judged after the name is resolved, and again on the open connection before a byte is sent.
import { lookup } from 'node:dns/promises';
import { Agent, type AgentOptions } from 'node:http';
import { Agent as TlsAgent, type AgentOptions as TlsOptions } from 'node:https';
import { connect, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressKind } from './address.ts';
import type { EgressRules } from './target.ts';

export interface Resolved {
  address: string;
  family: number;
}
export type Resolve = (hostname: string) => Promise<Resolved[]>;
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

export class AddressRefused extends Error {
  constructor(what: string) {
    super(`${what} is not a public address`);
  }
}

interface Guard {
  resolve: Resolve;
  mayReach(address: string): boolean;
}

interface Wanted {
  host?: string | null | undefined;
  port?: number | string | null | undefined;
}
type Opened = (error: Error | null, stream: Duplex) => void;
/** Holds because an agent that is told of an error looks at nothing else. */
const failing =
  (done: Opened) =>
  (error: Error): void =>
    (done as (error: Error) => void)(error);

const mayReach = (address: string, { loopback }: EgressRules): boolean => {
  const kind = addressKind(address);
  return kind === 'public' || (loopback && kind === 'loopback');
};
const anywhere = (): boolean => true;

const connectTimeoutMs = 10_000;

function openGuarded(wanted: Wanted, guard: Guard): Promise<Socket> {
  const host = wanted.host ?? '';
  return new Promise((resolve, reject) => {
    // For an address in the URL nothing is looked up, so it is judged here.
    if (addressKind(host) !== undefined && !guard.mayReach(host)) throw new AddressRefused(host);
    const socket = connect({ host, port: Number(wanted.port), lookup: guardedLookup(guard), noDelay: true });
    socket.once('error', reject);
    socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error(`${host} could not be reached`)));
    socket.once('connect', () => {
      socket.off('error', reject).setTimeout(0).removeAllListeners('timeout');
      const reached = socket.remoteAddress ?? '';
      if (guard.mayReach(reached)) return resolve(socket);
      socket.destroy();
      reject(new AddressRefused(reached === '' ? 'what was reached' : reached));
    });
  });
}

/** A name that has any address of the wrong kind is refused as a whole: nobody serves the public from inside. */
const guardedLookup =
  (guard: Guard): LookupFunction =>
  (hostname, options, done) => {
    guard.resolve(hostname).then(
      (found) => {
        const [first] = found;
        const wrong = found.find(({ address }) => !guard.mayReach(address));
        if (wrong) done(new AddressRefused(`${hostname} (${wrong.address})`), '');
        else if (!first) done(new Error(`${hostname} has no address`), '');
        else if (options.all) done(null, found);
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
  override createConnection(options: Wanted, done: Opened): undefined {
    openGuarded(options, this.guard).then((socket) => done(null, socket), failing(done));
  }
}

class GuardedTlsAgent extends TlsAgent {
  readonly guard: Guard;
  constructor(options: TlsOptions, guard: Guard) {
    super(options);
    this.guard = guard;
  }
  override createConnection(options: Wanted & object, done: Opened): undefined {
    const secured = (socket: Socket) => super.createConnection({ ...options, ...{ socket } });
    openGuarded(options, this.guard).then((socket) => {
      const stream = secured(socket);
      if (stream) done(null, stream);
    }, failing(done));
  }
}

export interface Agents {
  for(url: URL): Agent;
  /** For one request: a connection that nobody used before, or will use again. */
  fresh(url: URL): Agent;
  /** The next request opens a connection of its own. */
  forget(url: URL): void;
}

interface Pools {
  /** So many origins keep connections. */
  most: number;
  tls?: TlsOptions;
}

export const guardedAgents = ({ resolve, ...rules }: EgressRules & { resolve: Resolve }, pools: Pools): Agents =>
  agentsFor({ resolve, mayReach: (address) => mayReach(address, rules) }, pools);

/** For hosts that we chose ourselves. */
export const unguardedAgents = (resolve: Resolve, pools: Pools): Agents =>
  agentsFor({ resolve, mayReach: anywhere }, pools);

/** One agent per origin, the least recently used and idle ones going first, so that no origin's connections crowd out another's. */
function agentsFor(guard: Guard, { most, tls }: Pools): Agents {
  const agents = new Map<string, Agent>();
  const kept: AgentOptions = { keepAlive: true, maxSockets: 64, maxFreeSockets: 8, scheduling: 'lifo' };
  const make = ({ protocol }: URL, options: AgentOptions): Agent =>
    protocol === 'https:' ? new GuardedTlsAgent({ ...options, ...tls }, guard) : new GuardedAgent(options, guard);
  return {
    for(url) {
      const agent = agents.get(url.origin) ?? make(url, kept);
      agents.delete(url.origin);
      agents.set(url.origin, agent);
      if (agents.size > most) dropIdle(agents);
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
