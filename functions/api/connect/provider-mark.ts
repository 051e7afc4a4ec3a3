// A provider's mark: its initial in a colored circle. Logos are trademarks, so there are none.
import { type ProviderId, providerIds } from '../../../shared/catalog/provider.ts';
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { getProviderLabel } from '../../../shared/providers/provider-label.ts';

/** `page-styles.ts` has a color for each: `mark-0` to `mark-5`. */
export const markColors = 6;

export const renderProviderMark = (provider: ProviderId): Markup =>
  markup`<span class="mark mark-${providerIds.indexOf(provider) % markColors}" aria-hidden="true">${getProviderLabel(provider).charAt(0)}</span>`;
