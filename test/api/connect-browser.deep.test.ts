import { cloudProviderIds } from '../../shared/catalog/provider.ts';
import { openWorld, tryBrowsers } from './browser-rules.ts';

openWorld();
tryBrowsers(cloudProviderIds);
