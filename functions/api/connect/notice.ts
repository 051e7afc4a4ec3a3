// What the page of a connect link says about the step before: a code in its address, never a text from there.

import { type ProviderId, providerIds } from '../../../shared/catalog/provider.ts';
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';
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

/** Nothing for whatever is not one of ours. */
export function renderNotice(requested: {
  notice?: string | undefined;
  provider?: string | undefined;
}): Markup | undefined {
  const code = noticeCodes.find((each) => each === requested.notice);
  if (code === undefined) return undefined;
  const provider = providerIds.find((each) => each === requested.provider);
  const { heading, why } = selectNoticeText(
    code,
    provider === undefined ? 'Your wearable' : providerDescriptors[provider].name,
  );
  const doneClass = code === 'connected' || code === 'disconnected' ? ' done' : '';
  return markup`<div class="notice${doneClass}" role="status"><p><strong>${heading}.</strong> ${why}</p></div>`;
}

function selectNoticeText(code: NoticeCode, name: string): { heading: string; why: string } {
  switch (code) {
    case 'disconnected':
      return { heading: `${name} is disconnected`, why: 'What it brought is being removed.' };
    case 'limit_reached':
      return { heading: 'No more can be connected', why: 'Disconnect one that you no longer use first.' };
    case 'not_offered':
      return { heading: `${name} cannot be connected here`, why: 'Pick one of those below.' };
    default:
      return outcomeTexts[code](name);
  }
}
