// One shape for every handler: built from the environment on Lambda, or by the local host with dependencies of its own.
import type { Deps } from '../domain/deps.ts';
import { depsFromEnvironment } from './deps.ts';
import { live } from './life.ts';

export interface Handler<Event, Result> {
  (event: Event): Promise<Result>;
  /** Makes the same handler over given dependencies. */
  build(deps: Deps): (event: Event) => Promise<Result>;
}

export function lambda<Event, Result>(make: (deps: Deps) => (event: Event) => Promise<Result>): Handler<Event, Result> {
  const build = (deps: Deps) => {
    const run = make(deps);
    return (event: Event) => live(deps.clock, () => run(event));
  };
  let running: Promise<(event: Event) => Promise<Result>> | undefined;
  const handler = async (event: Event) => {
    running ??= depsFromEnvironment().then(build);
    let run: (event: Event) => Promise<Result>;
    try {
      run = await running;
    } catch (error) {
      running = undefined;
      throw error;
    }
    return run(event);
  };
  return Object.assign(handler, { build });
}
