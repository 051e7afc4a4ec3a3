// The common shape of every handler: built from the environment on Lambda, or from a host's options
// when hosted.
import type { Deps } from '../../shared/system/deps.ts';
import { depsFromEnvironment, type RuntimeOptions } from './deps.ts';
import { runWithDeadline } from './run-deadline.ts';

export interface Handler<Event, Result> {
  (event: Event): Promise<Result>;
  /** The same handler with the dependencies passed in. */
  build(deps: Deps): (event: Event) => Promise<Result>;
  /** The same handler, which creates its own engines from the host's options. */
  buildHosted(options: RuntimeOptions): Promise<(event: Event) => Promise<Result>>;
}

export function lambda<Event, Result>(
  createHandler: (deps: Deps) => (event: Event) => Promise<Result>,
): Handler<Event, Result> {
  const build = (deps: Deps) => {
    const run = createHandler(deps);
    return (event: Event) => runWithDeadline(deps.clock, () => run(event));
  };
  const buildHosted = async (options: RuntimeOptions) => build(await depsFromEnvironment(options));
  let handlerPromise: Promise<(event: Event) => Promise<Result>> | undefined;
  const handler = async (event: Event) => {
    handlerPromise ??= buildHosted({ env: process.env });
    let run: (event: Event) => Promise<Result>;
    try {
      run = await handlerPromise;
    } catch (error) {
      handlerPromise = undefined;
      throw error;
    }
    return run(event);
  };
  return Object.assign(handler, { build, buildHosted });
}
