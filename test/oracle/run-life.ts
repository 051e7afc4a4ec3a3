// Lives a life against the running service and the model at once, and tells where the two differ.
import type { Told } from '../harness/ask.ts';
import { openPhone, type Phone } from '../harness/phone.ts';
import type { System } from '../harness/system.ts';
import { checkReads, type WrongRead } from './check-reads.ts';
import { expectedRebuild, fillMismatches, inNextCalendar, rebuildMismatches } from './expected-rebuild.ts';
import { newRebuilds } from './feed.ts';
import { isQuiet, type Life, type LifeEvent, type Provider, recordsIn, type WireUpload } from './life.ts';
import type { Living } from './living.ts';
import {
  canSet,
  deviceOf,
  disconnect,
  forgetSettings,
  newPerson,
  takeProfile,
  takeSettings,
  takeUpload,
} from './person.ts';
import { settlerFor } from './settle.ts';
import { viewOf } from './view.ts';

export interface Verdict {
  life: Life;
  /** The reads that differ, with their differences; none when the service agrees with the model throughout. */
  wrong: WrongRead[];
}

/** Side by side, so that they can wait for the service together. */
export async function liveOut(system: System, lives: readonly Life[]): Promise<Verdict[]> {
  const settler = settlerFor(lives.length, async () => {
    await system.host.drain();
    // Work that met other work of the same person tries again a few seconds later.
    system.clock.advance(10_000);
    await system.host.drain();
  });
  return Promise.all(
    lives.map(async (life) => {
      try {
        return { life, wrong: await liveOne(system, life, settler.settle) };
      } finally {
        settler.leave();
      }
    }),
  );
}

async function liveOne(system: System, life: Life, settle: () => Promise<void>): Promise<Verdict['wrong']> {
  const { account_id, live_key: key } = await system.account();
  const form1Key = await system.form1Key(account_id);
  const userId = await system.user(key, life.profile);
  const person = newPerson(life.profile.timezone ?? null, life.profile.day_rule);
  const living: Living = { system, key, form1Key, userId, person, life, feedCursor: null, settle };
  const phones = new Map<Provider, Phone>();
  for (const [at, event] of life.events.entries()) {
    system.clock.advance(2_000);
    const where = `${event.kind}, event ${at}`;
    const wrong = event.kind === 'look' ? await look(living, false) : await happenAndTell(living, phones, event);
    if (wrong.length > 0) return wrong.map(({ read, mismatches }) => ({ read: `${read} (${where})`, mismatches }));
  }
  return look(living, true);
}

async function look(living: Living, everything: boolean) {
  await living.settle();
  await learnDevices(living);
  return checkReads(living, everything);
}

type Happening = Exclude<LifeEvent, { kind: 'look' }>;

/** After a quiet change of the calendar the feed tells of its rebuild. */
async function happenAndTell(living: Living, phones: Map<Provider, Phone>, event: Happening): Promise<WrongRead[]> {
  const next = isQuiet(event) ? inNextCalendar(living.person, event) : null;
  if (!next) return happen(living, phones, event);
  await living.settle();
  await newRebuilds(living);
  const expected = expectedRebuild(viewOf(living.person), viewOf(next), living.life);
  const most = changesType(living.person, event) ? 2 : 1;
  const wrong = await happen(living, phones, event);
  if (wrong.length > 0) return wrong;
  await living.settle();
  const events = await newRebuilds(living);
  const mismatches =
    event.kind === 'upload'
      ? fillMismatches(expected, event.body, events, most)
      : rebuildMismatches(expected, living.userId, events);
  return mismatches.length > 0 ? [{ read: 'GET /v1/events', mismatches }] : [];
}

/** Then the days are also merged again for the device's new rank, which has an event of its own. */
function changesType(person: Living['person'], event: Happening): boolean {
  if (event.kind !== 'upload') return false;
  const { model, type } = event.body.device;
  const known = deviceOf(person, event.provider, model);
  return known !== undefined && known.type !== type;
}

async function happen(living: Living, phones: Map<Provider, Phone>, event: Happening): Promise<WrongRead[]> {
  const { system, key, userId, person } = living;
  const ask = (method: string, path: string, body?: unknown): Promise<Told> =>
    system.call(method, `/v1/users/${userId}${path}`, { token: key, ...(body === undefined ? {} : { body }) });
  const failed = (told: Told, expected: unknown): WrongRead[] => [
    { read: 'an answer', mismatches: [{ where: 'answer', got: `${told.status} ${told.text}`, expected }] },
  ];
  switch (event.kind) {
    case 'drain':
      await living.settle();
      return [];
    case 'upload': {
      const phone = phones.get(event.provider) ?? (await openPhone(system, key, userId, event.provider));
      phones.set(event.provider, phone);
      const told = await phone.upload(event.body);
      const { accepted, rejected } = told.body;
      if (told.status !== 202 || accepted !== recordsIn(event.body) || rejected.length > 0)
        return failed(told, `${recordsIn(event.body)} records accepted`);
      await takeIn(living, event.provider, event.body);
      return [];
    }
    case 'profile': {
      const told = await ask('PATCH', '', event.patch);
      takeProfile(person, event.patch);
      return told.status === 200 ? [] : failed(told, 200);
    }
    case 'settings': {
      if (!canSet(person, event.patch)) return [];
      const told = await ask('PATCH', '/consolidation', event.patch);
      takeSettings(person, event.patch);
      return told.status === 202 ? [] : failed(told, 202);
    }
    case 'reset': {
      const told = await ask('DELETE', '/consolidation');
      forgetSettings(person);
      return told.status === 202 ? [] : failed(told, 202);
    }
    case 'disconnect': {
      const device = deviceOf(person, event.provider, event.model);
      if (!device) return [];
      const told = await ask('DELETE', `/devices/${device.id}`);
      disconnect(person, device);
      // Whoever lets go of a device ends its phone's session too: what comes next needs a new one.
      phones.delete(event.provider);
      return told.status === 204 ? [] : failed(told, 204);
    }
  }
}

async function takeIn(living: Living, provider: Provider, body: WireUpload): Promise<void> {
  takeUpload(living.person, provider, body);
  await learnDevices(living);
}

/** Asks for the ids of new devices; the list does not name models, so there is never more than one new. */
async function learnDevices({ system, key, userId, person }: Living): Promise<void> {
  const unnamed = person.devices.filter(({ id }) => id === '');
  if (unnamed.length === 0) return;
  const told = await system.call('GET', `/v1/users/${userId}/devices`, { token: key });
  const listed: { id: string; connected_at: string }[] = told.body.data;
  const known = new Set(person.devices.map(({ id }) => id));
  const fresh = listed.filter(({ id }) => !known.has(id));
  const [device] = unnamed;
  const [row] = fresh;
  if (!device || !row || fresh.length > 1) throw new Error(`expected one new device: ${told.text}`);
  device.id = row.id;
  device.connectedAt = Date.parse(row.connected_at);
}
