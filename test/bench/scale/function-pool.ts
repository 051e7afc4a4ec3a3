// Runs functions as Lambda does: each run has an instance to itself, so concurrent runs need more
// instances.

import type { Engines } from '../../../functions/runtime/deps.ts';
import { functions } from '../../../infra/functions.ts';
import { buildFunctionEnvironment } from '../../../infra/local/function-environment.ts';
import { type HostedFunctions, type Invocation, loadHandler, type Run } from '../../../infra/local/function-runner.ts';
import type { Clock } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { queueNames } from './manifest-triggers.ts';

export interface FunctionLoad {
  runs: number;
  failures: number;
  maxConcurrency: number;
  longestMs: number;
}

export interface FunctionPool {
  run: Run;
  /** The dependencies of a function that has the root secret. */
  deps(): Promise<Deps>;
  /** Keyed by function name. */
  loads: Record<string, FunctionLoad>;
}

const hostedFunctions: HostedFunctions = functions;
const unusedUrl = 'http://127.0.0.1:9';
/** These engines are never called, because the simulation replaces them. */
const host = {
  base_url: unusedUrl,
  table_endpoint: unusedUrl,
  table_name: 'daybook',
  queue_endpoint: unusedUrl,
  queue_urls: Object.fromEntries(queueNames.map((name) => [name, unusedUrl])),
  bus_endpoint: unusedUrl,
};
const settings = { host, rootSecret: 'a root secret of more than 32 characters', tableEpoch: 'scale', env: {} };

export function functionPool(clock: Clock, wrapEngines: (own: Engines) => Engines): FunctionPool {
  const loads: FunctionPool['loads'] = {};
  const idle = new Map<string, Invocation[]>();
  const running = new Map<string, number>();

  async function start(name: string, wrapDeps: (deps: Deps) => Deps = (deps) => deps): Promise<Invocation> {
    const spec = hostedFunctions[name];
    if (!spec) throw new Error(`the function manifest has no function ${name}`);
    // Loaded from source, because the simulated engines throw the error classes of the sources.
    const handler = await loadHandler(spec.entry);
    return handler.buildHosted({
      env: buildFunctionEnvironment(spec, settings),
      wrapEngines: wrapEngines,
      enforceGrants: wrapDeps,
    });
  }

  async function run(name: string, event: unknown): Promise<unknown> {
    loads[name] ??= { runs: 0, failures: 0, maxConcurrency: 0, longestMs: 0 };
    const load = loads[name];
    const atOnce = (running.get(name) ?? 0) + 1;
    running.set(name, atOnce);
    load.runs++;
    load.maxConcurrency = Math.max(load.maxConcurrency, atOnce);
    const startMs = clock.now();
    try {
      const free = idle.get(name) ?? [];
      idle.set(name, free);
      const invoke = free.pop() ?? (await start(name));
      const result = await invoke(event);
      free.push(invoke);
      return result;
    } catch (error) {
      load.failures++;
      throw error;
    } finally {
      running.set(name, (running.get(name) ?? 1) - 1);
      load.longestMs = Math.max(load.longestMs, clock.now() - startMs);
    }
  }

  async function deps(): Promise<Deps> {
    const [name] = Object.entries(hostedFunctions).find(([, { secret, sends }]) => secret && sends.length > 0) ?? [];
    let captured: Deps | undefined;
    await start(name ?? '', (own) => {
      captured = own;
      return own;
    });
    if (!captured) throw new Error('no function in the manifest has the root secret');
    return captured;
  }

  return { run, deps, loads };
}
