// One shape for every handler: built from the environment on Lambda, and from what a host says where it is hosted.
import type { Deps } from '../../shared/system/deps.ts';
import { depsFromEnvironment, type RuntimeOptions } from './deps.ts';
import { runWithDeadline } from './run-deadline.ts';

export interface Handler<Event, Result> {
  (event: Event): Promise<Result>;
  /** The same handler over given dependencies. */
  build(deps: Deps): (event: Event) => Promise<Result>;
  /** The same handler, with engines that it makes itself in the surroundings of a host. */
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
