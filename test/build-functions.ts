// Builds the functions once, for all workers, before the tests of a project that runs them.
import { loadBuiltFunctions } from '../infra/build/built-functions.ts';

export async function setup(): Promise<void> {
  await loadBuiltFunctions(() => console.log('building the functions because a source changed'));
}
