import { cloudProviderIds } from '../../shared/catalog/provider.ts';
import { openWorld, testBrowserBinding } from './browser-binding.ts';

openWorld();
testBrowserBinding(cloudProviderIds);
