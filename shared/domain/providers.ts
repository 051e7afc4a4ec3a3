// Which providers can be connected from here: those whose data a phone brings. Cloud accounts cannot be linked by this release, whatever credentials
// the deployment has.
import type { ProviderCatalogue } from '../model/provider.ts';
import { providerCatalogue, providers } from '../providers/catalogue.ts';

export const availableProviders = (): ProviderCatalogue =>
  providerCatalogue((id) => providers[id].connection === 'sdk');
