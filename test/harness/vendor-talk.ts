// Talks with a vendor that a test plays, and what an adapter makes of what was fetched.
import type { CloudProviderId } from '../../shared/model/provider.ts';
import type { Asked } from '../../shared/providers/adapter.ts';
import { providers } from '../../shared/providers/catalog.ts';
import type { Holding } from '../../shared/providers/grant.ts';
import type { Normalized } from '../../shared/providers/normalizer.ts';
import { normalizerFor } from '../../shared/providers/normalizers.ts';
import { type DayWindow, rawPages, type VendorPage } from '../../shared/providers/pages.ts';
import type { PushKeys, PushRequest } from '../../shared/providers/push.ts';
import type { ProviderCredentials, Talk, VendorReply, VendorRequest } from '../../shared/providers/vendor.ts';
import type { LifeDay } from '../../shared/sandbox/cloud/life.ts';
import type { ItemsOf, VendorShapes } from '../../shared/sandbox/cloud/shapes.ts';

export const testCredentials: ProviderCredentials = { clientId: 'client-1', clientSecret: 'secret-1', more: {} };

export const replied = (body: unknown, status = 200): VendorReply => ({
  status,
  headers: {},
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Every request in turn, and what the talk came to. */
export function talked<Result>(
  talk: Talk<Result>,
  answer: (request: VendorRequest, at: number) => VendorReply,
): { result: Result; requests: VendorRequest[] } {
  const requests: VendorRequest[] = [];
  let step = talk.next();
  while (!step.done) {
    requests.push(step.value);
    step = talk.next(answer(step.value, requests.length - 1));
  }
  return { result: step.value, requests };
}

export const askedFor = (window: DayWindow, more: Partial<Asked> = {}): Asked => ({
  ...window,
  zone: null,
  account: 'account-1',
  scopes: null,
  nowMs: Date.parse('2026-03-10T12:00:00Z'),
  credentials: testCredentials,
  ...more,
});

export const holding = (more: Partial<Holding['grant']> = {}): Holding => ({
  credentials: testCredentials,
  grant: { accessToken: 'access-1', refreshToken: 'refresh-1', expiresMs: null, scopes: null, ...more },
  account: 'account-1',
  nowMs: Date.parse('2026-03-10T12:00:00Z'),
});

export const pushKeys: PushKeys = {
  credentials: testCredentials,
  pathSecret: 'path-secret-1',
  verificationToken: 'verification-1',
  subscriptionSecret: undefined,
};

export const pushed = (body: string, more: Partial<PushRequest> = {}): PushRequest => ({
  method: 'POST',
  headers: {},
  query: {},
  pathSecret: undefined,
  body: Buffer.from(body),
  receivedMs: Date.parse('2026-03-10T12:00:00Z'),
  ...more,
});

/** By way of the bytes that are stored. */
export function normalizedPages(
  provider: CloudProviderId,
  pages: readonly VendorPage[],
  {
    asked = null,
    timeZone = null,
    receivedMs = Date.parse('2026-03-10T12:00:00Z'),
  }: { asked?: DayWindow | null; timeZone?: string | null; receivedMs?: number } = {},
): Normalized {
  const source = { source: provider, format: providers[provider].format };
  const raw = rawPages({ ...source, timeZone }, { asked, pages }, '2026-03-10');
  return normalizerFor(source)(Buffer.from(raw.content), { receivedMs, scopes: [], timeZone });
}

/** The sandbox's vendor as the other side of a talk. */
export function playedBy(
  shapes: VendorShapes,
  items: ItemsOf,
  { account = 'account-1', nowMs = Date.parse('2026-03-10T12:00:00Z') } = {},
): (request: VendorRequest) => VendorReply {
  return ({ method, url, query = {}, form = {}, json }) => {
    const { host, pathname } = new URL(url);
    const request = { method, host, path: pathname, query, form, json, account, nowMs };
    return shapes.answer(request, items) ?? replied({ error: 'not_found' }, 404);
  };
}

/** Items of these days, as the sandbox's own lives give them. */
export const itemsOfDays =
  (shapes: VendorShapes, days: readonly LifeDay[], account = 'account-1'): ItemsOf =>
  (resource, dates) =>
    shapes.items(
      resource,
      days.filter(({ date }) => !dates || (date >= dates.from && date <= dates.to)),
      account,
    );

/** A day of nothing, to be filled in. */
export function lifeDayOf(date: string, offsetMinutes: number, told: Partial<LifeDay> = {}): LifeDay {
  const startMs = Date.parse(`${date}T00:00:00Z`) - offsetMinutes * 60_000;
  return {
    date,
    zone: 'UTC',
    startMs,
    endMs: startMs + 86_400_000,
    steps: null,
    distanceKm: null,
    activeKcal: null,
    restingKcal: null,
    exerciseMinutes: null,
    restingBpm: null,
    minBpm: null,
    maxBpm: null,
    sleepBpm: null,
    rmssdMs: null,
    breathsPerMinute: null,
    oxygenPct: null,
    skinCelsius: null,
    vo2Max: null,
    weightKg: null,
    bodyFatPct: null,
    sleeps: [],
    workouts: [],
    heartRate: [],
    variability: [],
    walked: [],
    ...told,
  };
}
