// Talks with a vendor whose answers a test has written, and what the vendor's normalizer makes of what was fetched.
import { expect } from 'vitest';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import type { Records } from '../../shared/measurements/records.ts';
import { providers } from '../../shared/providers/catalog.ts';
import { cloudNormalizers } from '../../shared/providers/cloud-normalizers.ts';
import type { Asked } from '../../shared/providers/kit/adapter.ts';
import type { Holding } from '../../shared/providers/kit/grant.ts';
import type { Normalized } from '../../shared/providers/kit/normalizer.ts';
import { type DayWindow, rawPages, type VendorPage } from '../../shared/providers/kit/pages.ts';
import type { PushKeys, PushRequest } from '../../shared/providers/kit/push.ts';
import type { ProviderCredentials, Talk, VendorReply, VendorRequest } from '../../shared/providers/kit/vendor.ts';

export const testCredentials: ProviderCredentials = { clientId: 'client-1', clientSecret: 'secret-1', more: {} };

export const replied = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): VendorReply => ({
  status,
  headers,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

type Answers = ((request: VendorRequest, at: number) => VendorReply) | readonly VendorReply[];

/** Every request in turn, and what the talk came to. Answers that were written down beforehand must all be asked for. */
export function talked<Result>(talk: Talk<Result>, answers: Answers): { result: Result; requests: VendorRequest[] } {
  const requests: VendorRequest[] = [];
  const answerTo = (request: VendorRequest, at: number): VendorReply => {
    const answer = typeof answers === 'function' ? answers(request, at) : answers[at];
    if (!answer) throw new Error(`nobody answers ${request.method} ${request.url}`);
    return answer;
  };
  let step = talk.next();
  while (!step.done) {
    requests.push(step.value);
    step = talk.next(answerTo(step.value, requests.length - 1));
  }
  if (typeof answers !== 'function') expect(requests).toHaveLength(answers.length);
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

/** What each night tells as a whole, by metric. Null is what it takes back; what it says nothing of is absent. */
export const toldByNights = ({ sleep }: Records): Record<string, number | null>[] =>
  sleep.map(({ summary = {} }) =>
    Object.fromEntries(Object.entries(summary).map(([metric, value]) => [metric, value?.value ?? null])),
  );

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
  const found = cloudNormalizers.find((each) => each.source === provider && each.format === source.format);
  if (!found) throw new Error(`nobody reads ${provider}`);
  return found.normalize(Buffer.from(raw.content), { receivedMs, scopes: [], timeZone });
}
