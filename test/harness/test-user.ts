// A user whose phone uploads, with a clock that advances between uploads. Each upload is processed
// before the next call.

import { openPhone, type Phone } from './phone.ts';
import type { ApiResponse } from './send-request.ts';
import type { System } from './system.ts';

export interface TestUser {
  id: string;
  phone: Phone;
  /** Uploads and waits until the upload is processed. */
  send(device: object, lists: object, more?: object): Promise<void>;
  /** Values by metric, from the 9th to the 12th. */
  daily(types: string, more?: string): Promise<Record<string, (number | null)[]>>;
  get(path: string): Promise<ApiResponse>;
}

export async function createTestUser(
  system: System,
  key: string,
  body: object = { timezone: 'UTC' },
): Promise<TestUser> {
  const id = await system.user(key, body);
  const phone = await openPhone(system, key, id);
  const get = (path: string) => system.call('GET', `/v1/users/${id}/${path}`, { token: key });
  return {
    id,
    phone,
    get,
    async send(device, lists, more = {}) {
      system.clock.advance(1_000);
      const response = await phone.upload({ time_zone: 'UTC', device, ...lists, ...more });
      if (response.status !== 202 || response.body.rejected.length > 0) throw new Error(`rejected: ${response.text}`);
      await system.host.drain();
    },
    async daily(types, more = '') {
      const response = await get(`daily?from_date=2026-03-09&to_date=2026-03-12&types=${types}${more}`);
      return response.body.series;
    },
  };
}

/** A user whose records count on the day of the place where they were recorded. */
export const travelerProfile = { timezone: 'UTC', day_rule: 'recorded' };
export const march10Ms = Date.UTC(2026, 2, 10);
export const hourMs = 3_600_000;
export const iso = (ms: number): string => new Date(ms).toISOString();
export const watch = { name: 'Watch', model: 'Watch7,1', type: 'wrist' };
export const phoneDevice = { name: 'Phone', model: 'Phone15,2', type: 'phone' };

/** Times are in hours of March 10, UTC. */
export const stepsSample = (from: number, to: number, value: number, more: object = {}): object => ({
  metric: 'steps',
  start: iso(march10Ms + from * hourMs),
  end: iso(march10Ms + to * hourMs),
  value,
  unit: 'count',
  ...more,
});

export const sleepUpload = (from: number, to: number, asleep: number, more: object = {}) => ({
  sleep: [
    { start: iso(march10Ms + from * hourMs), end: iso(march10Ms + to * hourMs), asleep_minutes: asleep, ...more },
  ],
});
