// Which providers can be connected from here: those whose data a phone brings. Cloud accounts cannot be linked by this release, whatever credentials
// the deployment has.
import type { ProviderCatalog } from '../../model/provider.ts';
import { providerCatalog, providers } from '../../providers/catalog.ts';

export const availableProviders = (): ProviderCatalog => providerCatalog((id) => providers[id].connection === 'sdk');
