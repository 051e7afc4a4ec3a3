// What a push says of one person: data is stored, and what has to be fetched is recorded on the connection.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { acceptRecords } from '../../pipeline/accept-records.ts';
import { EngineUnavailable } from '../../platform/ports.ts';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import { providers } from '../../providers/catalog.ts';
import { rawPages, type VendorPage } from '../../providers/kit/pages.ts';
import type { PushNote } from '../../providers/kit/push.ts';
import type { Deps } from '../../system/deps.ts';
import { activeDevices, subjectOf } from '../../users/subject.ts';
import type { Notification } from '../sync-plan.ts';
import { maxNotifications, syncRows } from '../sync-rows.ts';
import { wakeConnection } from '../wake-connection.ts';

/**
 * A longer one names nothing, and would not fit beside the others. Garmin's hold an address and its
 * token.
 */
const longestId = 1024;
/** In place of more notifications than an inbox holds. */
const weeksAgain = 4;

type Link = { user: string; device: string };

/** The same again changes nothing. */
export async function recordNotifications(
  deps: Deps,
  provider: CloudProviderId,
  link: Link,
  notes: readonly PushNote[],
): Promise<void> {
  const pages = notes.flatMap((note) => (note.what === 'data' ? note.page : []));
  if (pages.length > 0) await store(deps, provider, link, pages);
  const notifications = notes.flatMap(toFetch);
  if (notifications.length > 0) await record(deps, provider, link, notifications);
}

async function store(deps: Deps, provider: CloudProviderId, link: Link, pages: readonly VendorPage[]): Promise<void> {
  const subject = await subjectOf(deps, link.user);
  const device = activeDevices(subject?.devices ?? []).find(({ id }) => id === link.device);
  if (!subject || !device) return;
  const { format } = providers[provider];
  const { timezone } = subject.user;
  const now = deps.clock.now();
  const raw = rawPages({ source: provider, format, timeZone: timezone }, { asked: null, pages }, utcDay(now));
  await acceptRecords(deps, link.user, now, [{ device, raw, scopes: [] }]);
}

function toFetch(note: PushNote): Notification[] {
  if (note.what === 'data' || ('id' in note && note.id.length > longestId)) return [];
  if (note.what === 'days') return [{ what: 'days', from: note.from.slice(0, 10), to: note.to.slice(0, 10) }];
  if (note.what === 'object') return [{ what: 'object', resource: note.resource, id: note.id }];
  if (note.what === 'deleted') return [{ what: 'deleted', kind: note.kind, id: note.id }];
  return [{ what: 'ended' }];
}

async function record(
  deps: Deps,
  provider: CloudProviderId,
  link: Link,
  notifications: readonly Notification[],
): Promise<void> {
  const now = deps.clock.now();
  const recorded = await syncRows(deps.store).record(link, notifications, now);
  if (recorded === false) return;
  // The provider sends it again later, when those that were recorded are read.
  if (recorded === 'full' && providers[provider].push?.addresses && notifications.length <= maxNotifications)
    throw new EngineUnavailable('the inbox of a connection has no room for more addresses');
  const today = utcDay(now);
  const weeks: Notification = { what: 'days', from: addDays(today, -7 * weeksAgain), to: addDays(today, 1) };
  const farewells = notifications.filter(({ what }) => what === 'ended').slice(0, 1);
  if (recorded === 'full') await syncRows(deps.store).collapse(link, [weeks, ...farewells], now);
  await wakeConnection(deps, link.user, link.device);
}
