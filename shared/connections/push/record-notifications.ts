// Handles what a push says about one user: data is stored, and what has to be fetched is recorded
// on the connection.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { acceptRecords } from '../../pipeline/accept-records.ts';
import { EngineUnavailable } from '../../platform/ports.ts';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import { type ProviderPage, toRawPages } from '../../providers/kit/provider-pages.ts';
import type { PushNotification } from '../../providers/kit/push.ts';
import type { Deps } from '../../system/deps.ts';
import { activeDevices, readUserContext } from '../../users/user-context.ts';
import type { Notification } from '../sync-plan.ts';
import { maxNotifications, syncRows } from '../sync-rows.ts';
import { wakeConnection } from '../wake-connection.ts';

/**
 * A longer id identifies nothing and would not fit next to the others. Garmin's ids contain a URL
 * and its token.
 */
const maxIdLength = 1024;
/** The period to read again instead, when there are more notifications than an inbox holds. */
const fallbackWeeks = 4;

type Link = { user: string; device: string };

/** Repeating the call changes nothing. */
export async function recordNotifications(
  deps: Deps,
  provider: CloudProviderId,
  link: Link,
  pushNotifications: readonly PushNotification[],
): Promise<void> {
  const pages = pushNotifications.flatMap((pushNotification) =>
    pushNotification.what === 'data' ? pushNotification.page : [],
  );
  if (pages.length > 0) await storeData(deps, provider, link, pages);
  const notifications = pushNotifications.flatMap(toNotifications);
  if (notifications.length > 0) await recordOnConnection(deps, provider, link, notifications);
}

async function storeData(
  deps: Deps,
  provider: CloudProviderId,
  link: Link,
  pages: readonly ProviderPage[],
): Promise<void> {
  const userContext = await readUserContext(deps, link.user);
  const device = activeDevices(userContext?.devices ?? []).find(({ id }) => id === link.device);
  if (!userContext || !device) return;
  const { format } = providerDescriptors[provider];
  const { timezone } = userContext.user;
  const now = deps.clock.now();
  const raw = toRawPages({ source: provider, format, timeZone: timezone }, { requested: null, pages }, utcDay(now));
  await acceptRecords(deps, link.user, now, [{ device, raw, scopes: [] }]);
}

function toNotifications(pushNotification: PushNotification): Notification[] {
  if (pushNotification.what === 'data' || ('id' in pushNotification && pushNotification.id.length > maxIdLength))
    return [];
  if (pushNotification.what === 'days')
    return [{ what: 'days', from: pushNotification.from.slice(0, 10), to: pushNotification.to.slice(0, 10) }];
  if (pushNotification.what === 'object')
    return [{ what: 'object', resource: pushNotification.resource, id: pushNotification.id }];
  if (pushNotification.what === 'deleted')
    return [{ what: 'deleted', kind: pushNotification.kind, id: pushNotification.id }];
  return [{ what: 'ended' }];
}

async function recordOnConnection(
  deps: Deps,
  provider: CloudProviderId,
  link: Link,
  notifications: readonly Notification[],
): Promise<void> {
  const now = deps.clock.now();
  const recorded = await syncRows(deps.store).record(link, notifications, now);
  if (recorded === false) return;
  // The provider sends the push again later, when the recorded notifications have been read.
  if (
    recorded === 'full' &&
    providerDescriptors[provider].push?.sendsCallbackUrls &&
    notifications.length <= maxNotifications
  )
    throw new EngineUnavailable('the inbox of a connection has no room for more callback URLs');
  const today = utcDay(now);
  const fallbackWindow: Notification = {
    what: 'days',
    from: addDays(today, -7 * fallbackWeeks),
    to: addDays(today, 1),
  };
  const endedNotifications = notifications.filter(({ what }) => what === 'ended').slice(0, 1);
  if (recorded === 'full') await syncRows(deps.store).collapse(link, [fallbackWindow, ...endedNotifications], now);
  await wakeConnection(deps, link.user, link.device);
}
