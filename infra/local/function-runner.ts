// Runs the functions of the manifest as Lambda would: loaded on first use, with only the grants in
// the manifest, and within their timeout.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RuntimeOptions } from '../../functions/runtime/deps.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { FunctionSpec, Trigger } from '../function-spec.ts';

/** The part of a manifest entry that the host needs. Queues can have any name. */
export interface HostedFunction extends Omit<FunctionSpec, 'trigger' | 'sends'> {
  trigger:
    | Exclude<Trigger, { kind: 'queue' }>
    | (Omit<Extract<Trigger, { kind: 'queue' }>, 'queue'> & { queue: string });
  sends: readonly string[];
}
export type HostedFunctions = Record<string, HostedFunction>;

export type TriggerOf<Kind extends Trigger['kind']> = Extract<HostedFunction['trigger'], { kind: Kind }>;

/** The functions with one kind of trigger, with their names. */
export function listByTrigger<Kind extends Trigger['kind']>(
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

export type Invocation = (event: unknown) => Promise<unknown>;

export function createFunctionRunner(options: {
  functions: HostedFunctions;
  /** Called at a function's first event. */
  start(name: string, spec: HostedFunction): Promise<Invocation>;
}): Run {
  const started = new Map<string, Promise<Invocation>>();
  return async (name, event) => {
    const spec = options.functions[name];
    if (!spec) throw new Error(`the function manifest has no function ${name}`);
    let startPromise = started.get(name);
    if (!startPromise) {
      startPromise = options.start(name, spec);
      started.set(name, startPromise);
      // A function that failed to start is started again at the next event, as Lambda would start
      // another instance.
      startPromise.catch(() => started.delete(name));
    }
    const run = await startPromise;
    return runWithTimeout(spec.timeoutSeconds, name, run(event));
  };
}

export interface HandlerModule {
  build(deps: Deps): Invocation;
  buildHosted(surroundings: RuntimeOptions): Promise<Invocation>;
}

/**
 * Loads the handler from its bundle, if there is one. Entries outside the product run from source.
 */
export async function loadHandler(entry: string, bundles?: ReadonlyMap<string, string>): Promise<HandlerModule> {
  const bundle = bundles?.get(entry);
  // Makes stack traces of modules loaded from here on name their sources.
  if (bundle !== undefined) process.setSourceMapsEnabled(true);
  const module: unknown =
    bundle === undefined ? await import(pathToFileURL(resolve(repositoryRoot, entry)).href) : require(bundle);
  if (isObject(module) && isHandler(module['handler'])) return module['handler'];
  throw new Error(`${entry} must export a handler made with lambda() from functions/runtime/lambda.ts`);
}

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
/**
 * Bundles are CommonJS and must run unchanged, even if a tool transforms the modules around them.
 */
const require = createRequire(import.meta.url);

const isHandler = (value: unknown): value is HandlerModule =>
  typeof value === 'function' && 'build' in value && 'buildHosted' in value;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

async function runWithTimeout<T>(seconds: number, name: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new FunctionTimedOut(`${name} did not finish within its timeout of ${seconds} seconds`)),
      seconds * 1000,
    );
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
