// Brings the sandbox's vendor in when it is first spoken to. In a bundle it is a file of its own, so that no call for a real person compiles it; that file
// has its own copy of whatever it imports, and so is handed all that tells errors apart.
import type { Deps } from '../../system/deps.ts';
import type { BuiltInProvider } from './built-in-provider.ts';
import { sandboxGrantRows } from './sandbox-grant-rows.ts';

export async function openBuiltInProvider(
  deps: Pick<Deps, 'keyring' | 'clock' | 'random' | 'store'>,
): Promise<BuiltInProvider> {
  const { createBuiltInProvider } = await import('./built-in-provider.ts');
  return createBuiltInProvider({ ...deps, ledger: sandboxGrantRows(deps.store) });
}
