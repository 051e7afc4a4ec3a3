// What a push said of one person: data is stored, and what has to be asked for is noted on the connection.
import { EngineUnavailable } from '../../engine/ports.ts';
import { addDays, utcDay } from '../../model/local-day.ts';
import type { CloudProviderId } from '../../model/provider.ts';
import { providers } from '../../providers/catalog.ts';
import { rawPages, type VendorPage } from '../../providers/pages.ts';
import type { PushNote } from '../../providers/push.ts';
import { mostNotes, type SyncNote, syncRows } from '../../store/syncs.ts';
import type { Deps } from '../deps.ts';
import { acceptRecords } from '../ingest/accept-records.ts';
import { activeDevices, subjectOf } from '../users/subject.ts';
import { wake } from '../work/wake.ts';

/**
 * A longer one names nothing, and would not fit beside the others. Garmin's hold an address and its
 * token.
 */
const longestId = 1024;
/** In place of more notes than a connection keeps. */
const weeksAgain = 4;

type Link = { user: string; device: string };

/** The same again changes nothing. */
export async function takeNotes(
  deps: Deps,
  provider: CloudProviderId,
  link: Link,
  notes: readonly PushNote[],
): Promise<void> {
  const pages = notes.flatMap((note) => (note.what === 'data' ? note.page : []));
  if (pages.length > 0) await keep(deps, provider, link, pages);
  const toAsk = notes.flatMap(asked);
  if (toAsk.length > 0) await noteDown(deps, provider, link, toAsk);
}

async function keep(deps: Deps, provider: CloudProviderId, link: Link, pages: readonly VendorPage[]): Promise<void> {
  const subject = await subjectOf(deps, link.user);
  const device = activeDevices(subject?.devices ?? []).find(({ id }) => id === link.device);
  if (!subject || !device) return;
  const { format } = providers[provider];
  const { timezone } = subject.user;
  const now = deps.clock.now();
  const raw = rawPages({ source: provider, format, timeZone: timezone }, { asked: null, pages }, utcDay(now));
  await acceptRecords(deps, link.user, now, [{ device, raw, scopes: [] }]);
}

function asked(note: PushNote): SyncNote[] {
  if (note.what === 'data' || ('id' in note && note.id.length > longestId)) return [];
  if (note.what === 'days') return [{ what: 'days', from: note.from.slice(0, 10), to: note.to.slice(0, 10) }];
  if (note.what === 'object') return [{ what: 'object', resource: note.resource, id: note.id }];
  if (note.what === 'deleted') return [{ what: 'deleted', kind: note.kind, id: note.id }];
  return [{ what: 'ended' }];
}

async function noteDown(deps: Deps, provider: CloudProviderId, link: Link, notes: readonly SyncNote[]): Promise<void> {
  const now = deps.clock.now();
  const { note, collapse } = syncRows(deps.store);
  const noted = await note(link, notes, now);
  if (noted === false) return;
  // The provider sends it again later, when those that were noted are read.
  if (noted === 'full' && providers[provider].push?.addresses && notes.length <= mostNotes)
    throw new EngineUnavailable('a connection has as many addresses to read as it can hold');
  const today = utcDay(now);
  const weeks: SyncNote = { what: 'days', from: addDays(today, -7 * weeksAgain), to: addDays(today, 1) };
  if (noted === 'full') await collapse(link, [weeks, ...notes.filter(({ what }) => what === 'ended').slice(0, 1)], now);
  await wake(deps, 'sync', { user_id: link.user, device_id: link.device });
}
