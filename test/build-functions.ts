// Before the tests of a project that runs the functions: they are built once, for all workers.
import { loadBuiltFunctions } from '../infra/build/built-functions.ts';

export async function setup(): Promise<void> {
  await loadBuiltFunctions(() => console.log('building the functions, as after every change of a source'));
}
