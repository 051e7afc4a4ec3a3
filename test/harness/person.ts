// A user whose phone uploads, with a clock that goes on between uploads; what was sent is worked in before the next call.
import type { Told } from './ask.ts';
import { openPhone, type Phone } from './phone.ts';
import type { System } from './system.ts';

export interface Person {
  id: string;
  phone: Phone;
  /** Uploads and waits until it is worked in. */
  send(device: object, lists: object, more?: object): Promise<void>;
  /** By metric, from the 9th to the 12th. */
  daily(types: string, more?: string): Promise<Record<string, (number | null)[]>>;
  get(path: string): Promise<Told>;
}

export async function openPerson(system: System, key: string, body: object = { timezone: 'UTC' }): Promise<Person> {
  const id = await system.user(key, body);
  const phone = await openPhone(system, key, id);
  const get = (path: string) => system.call('GET', `/v1/users/${id}/${path}`, { token: key });
  return {
    id,
    phone,
    get,
    async send(device, lists, more = {}) {
      system.clock.advance(1_000);
      const told = await phone.upload({ time_zone: 'UTC', device, ...lists, ...more });
      if (told.status !== 202 || told.body.rejected.length > 0) throw new Error(`not taken in: ${told.text}`);
      await system.host.drain();
    },
    async daily(types, more = '') {
      const told = await get(`daily?from_date=2026-03-09&to_date=2026-03-12&types=${types}${more}`);
      return told.body.series;
    },
  };
}

/** Whoever counts records on the day where they were made. */
export const traveller = { timezone: 'UTC', day_rule: 'recorded' };
export const day = Date.UTC(2026, 2, 10);
export const hour = 3_600_000;
export const iso = (ms: number): string => new Date(ms).toISOString();
export const watch = { name: 'Watch', model: 'Watch7,1', type: 'wrist' };
export const pocket = { name: 'Phone', model: 'Phone15,2', type: 'phone' };

/** In hours of the 10th, UTC. */
export const steps = (from: number, to: number, value: number, more: object = {}): object => ({
  metric: 'steps',
  start: iso(day + from * hour),
  end: iso(day + to * hour),
  value,
  unit: 'count',
  ...more,
});

export const night = (from: number, to: number, asleep: number, more: object = {}) => ({
  sleep: [{ start: iso(day + from * hour), end: iso(day + to * hour), asleep_minutes: asleep, ...more }],
});
