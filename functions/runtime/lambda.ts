// One shape for every handler: built from the environment on Lambda, and from what a host says where it is hosted.
import type { Deps } from '../../shared/system/deps.ts';
import { depsFromEnvironment, type Surroundings } from './deps.ts';
import { live } from './life.ts';

export interface Handler<Event, Result> {
  (event: Event): Promise<Result>;
  /** The same handler over given dependencies. */
  build(deps: Deps): (event: Event) => Promise<Result>;
  /** The same handler, with engines that it makes itself in the surroundings of a host. */
  hosted(surroundings: Surroundings): Promise<(event: Event) => Promise<Result>>;
}

export function lambda<Event, Result>(make: (deps: Deps) => (event: Event) => Promise<Result>): Handler<Event, Result> {
  const build = (deps: Deps) => {
    const run = make(deps);
    return (event: Event) => live(deps.clock, () => run(event));
  };
  const hosted = async (surroundings: Surroundings) => build(await depsFromEnvironment(surroundings));
  let running: Promise<(event: Event) => Promise<Result>> | undefined;
  const handler = async (event: Event) => {
    running ??= hosted({ env: process.env });
    let run: (event: Event) => Promise<Result>;
    try {
      run = await running;
    } catch (error) {
      running = undefined;
      throw error;
    }
    return run(event);
  };
  return Object.assign(handler, { build, hosted });
}
