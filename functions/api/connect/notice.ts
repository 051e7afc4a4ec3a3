// The notice on the connect page about the previous step. The URL carries only a code, never text
// to display.

import { type ProviderId, providerIds } from '../../../shared/catalog/provider.ts';
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { getProviderLabel } from '../../../shared/providers/provider-label.ts';
import { deviceErrors } from '../../../shared/users/device-states.ts';
import { outcomeTexts } from './outcome-text.ts';

const noticeCodes = [
  'connected',
  'disconnected',
  'limit_reached',
  'not_offered',
  'link_used',
  'link_revoked',
  'account_suspended',
  'other_browser',
  'unknown_link',
  ...deviceErrors,
] as const;
export type NoticeCode = (typeof noticeCodes)[number];

export function buildNoticeUrl(address: string, notice: NoticeCode, provider?: ProviderId): string {
  const query = new URLSearchParams({ notice, ...(provider === undefined ? {} : { provider }) });
  return `${address}?${query}`;
}

/** Returns undefined for an unknown code. */
export function renderNotice(requested: {
  notice?: string | undefined;
  provider?: string | undefined;
}): Markup | undefined {
  const code = noticeCodes.find((each) => each === requested.notice);
  if (code === undefined) return undefined;
  const provider = providerIds.find((each) => each === requested.provider);
  const { heading, why } = selectNoticeText(
    code,
    provider === undefined ? 'Your wearable' : getProviderLabel(provider),
  );
  const successClass = code === 'connected' || code === 'disconnected' ? ' notice-success' : '';
  return markup`<div class="notice${successClass}" role="status"><p><strong>${heading}.</strong> ${why}</p></div>`;
}

function selectNoticeText(code: NoticeCode, name: string): { heading: string; why: string } {
  switch (code) {
    case 'disconnected':
      return { heading: `${name} is disconnected`, why: 'Its data is being removed.' };
    case 'limit_reached':
      return { heading: 'No more devices can be connected', why: 'First disconnect one that you no longer use.' };
    case 'not_offered':
      return { heading: `${name} cannot be connected here`, why: 'Choose one from the list below.' };
    default:
      return outcomeTexts[code](name);
  }
}
