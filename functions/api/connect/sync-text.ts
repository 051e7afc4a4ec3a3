// Describes how far a device's sync has progressed. It renders nothing when the device is in sync.

import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { daysBetween } from '../../../shared/platform/time/local-day.ts';
import { getProviderLabel } from '../../../shared/providers/provider-label.ts';
import type { DeviceRow } from '../../../shared/users/device-rows.ts';

export function renderSyncState({ id, provider, sync }: DeviceRow): Markup | undefined {
  const name = getProviderLabel(provider);
  switch (sync?.state) {
    case 'backfilling': {
      const days = daysBetween(sync.from, sync.to) + 1;
      const done = Math.min(days, sync.doneDays);
      return markup`<p><label for="${id}">Fetching your history: ${done} of ${days} days</label></p><progress id="${id}" max="${days}" value="${done}"></progress>`;
    }
    case 'waiting':
      return markup`<p class="warning">${name} is not responding at the moment. We keep trying, and nothing is lost.</p>`;
    case 'failed':
      return markup`<p class="warning">Something is not working on our side. We keep trying, and nothing is lost.</p>`;
    default:
      return undefined;
  }
}
