// Loads the simulated provider when it is first used. It is bundled as a separate file, so that no
// request for a real user compiles it. That file has its own copies of its imports, so everything
// that distinguishes error classes is passed in.
import type { Deps } from '../../system/deps.ts';
import type { BuiltInProvider } from './built-in-provider.ts';
import { sandboxGrantRows } from './sandbox-grant-rows.ts';

export async function openBuiltInProvider(
  deps: Pick<Deps, 'keyring' | 'clock' | 'random' | 'store'>,
): Promise<BuiltInProvider> {
  const { createBuiltInProvider } = await import('./built-in-provider.ts');
  return createBuiltInProvider({ ...deps, ledger: sandboxGrantRows(deps.store) });
}
