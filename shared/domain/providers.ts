// Which providers can be connected from here: all of them in the sandbox, in live those this deployment has credentials for.
import type { Caller } from '../model/account.ts';
import type { ProviderCatalogue } from '../model/provider.ts';
import { providerCatalogue } from '../providers/catalogue.ts';
import type { Deps } from './deps.ts';

export const availableProviders = (deps: Pick<Deps, 'place'>, caller: Caller): ProviderCatalogue =>
  providerCatalogue((id) => caller.env === 'sandbox' || (deps.place.providers ?? []).includes(id));
