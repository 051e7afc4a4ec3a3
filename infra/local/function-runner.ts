// Runs the functions of the map as Lambda would: loaded on first use, with only what the map grants them, and within their time.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Deps } from '../../shared/domain/deps.ts';
import type { FunctionSpec, Trigger } from '../function-spec.ts';

/** The part of a function's entry in the map that the host needs; queues may have any name. */
export interface HostedFunction extends Omit<FunctionSpec, 'trigger' | 'sends'> {
  trigger:
    | Exclude<Trigger, { kind: 'queue' }>
    | { kind: 'queue'; queue: string; batchSize: number; atOnce?: number; mostAtOnce?: number };
  sends: readonly string[];
}
export type HostedFunctions = Record<string, HostedFunction>;

export type TriggerOf<Kind extends Trigger['kind']> = Extract<HostedFunction['trigger'], { kind: Kind }>;

/** The functions with one kind of trigger, each with its name. */
export function triggeredBy<Kind extends Trigger['kind']>(
  functions: HostedFunctions,
  kind: Kind,
): { name: string; trigger: TriggerOf<Kind>; timeoutSeconds: number }[] {
  const isKind = (trigger: HostedFunction['trigger']): trigger is TriggerOf<Kind> => trigger.kind === kind;
  return Object.entries(functions).flatMap(([name, { trigger, timeoutSeconds }]) =>
    isKind(trigger) ? [{ name, trigger, timeoutSeconds }] : [],
  );
}

export type Run = (name: string, event: unknown) => Promise<unknown>;

export class FunctionTimedOut extends Error {}

export function functionRunner(options: {
  functions: HostedFunctions;
  /** The folder that entries are relative to. */
  root: string;
  depsFor(name: string, spec: HostedFunction): Deps;
}): Run {
  const loaded = new Map<string, Promise<(event: unknown) => Promise<unknown>>>();
  const load = async (name: string, spec: HostedFunction) => {
    const module: unknown = await import(pathToFileURL(resolve(options.root, spec.entry)).href);
    return buildOf(module, spec.entry)(options.depsFor(name, spec));
  };
  return async (name, event) => {
    const spec = options.functions[name];
    if (!spec) throw new Error(`the map has no function ${name}`);
    let loading = loaded.get(name);
    if (!loading) {
      loading = load(name, spec);
      loaded.set(name, loading);
      // A function that could not be loaded is loaded again at the next event, as Lambda would start another instance.
      loading.catch(() => loaded.delete(name));
    }
    const run = await loading;
    return within(spec.timeoutSeconds, name, run(event));
  };
}

function buildOf(module: unknown, entry: string): (deps: Deps) => (event: unknown) => Promise<unknown> {
  if (isObject(module) && typeof module['handler'] === 'function') {
    const { handler } = module;
    if ('build' in handler && typeof handler.build === 'function') {
      const { build } = handler;
      return (deps) => build(deps);
    }
  }
  throw new Error(`${entry} must export a handler made with lambda() from shared/runtime/lambda.ts`);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

async function within<T>(seconds: number, name: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new FunctionTimedOut(`${name} did not finish within its ${seconds} seconds`)),
      seconds * 1000,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
