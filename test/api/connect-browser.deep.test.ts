import { cloudProviderIds } from '../../shared/model/provider.ts';
import { openWorld, tryBrowsers } from './browser-rules.ts';

openWorld();
tryBrowsers(cloudProviderIds);
