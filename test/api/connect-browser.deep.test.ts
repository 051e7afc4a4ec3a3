import { cloudProviderIds } from '../../shared/catalog/provider.ts';
import { openWorld, testBrowserBinding } from './browser-rules.ts';

openWorld();
testBrowserBinding(cloudProviderIds);
