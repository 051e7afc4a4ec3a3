// Runs an adapter's talk by hand, and what it came to through the normalizer, as the engine would.
import type { Asked } from '../../../shared/providers/adapter.ts';
import type { Normalized, Normalizer } from '../../../shared/providers/normalizer.ts';
import { rawPages, type VendorPage } from '../../../shared/providers/pages.ts';
import type { ProviderCredentials, Talk, VendorReply, VendorRequest } from '../../../shared/providers/vendor.ts';
import type { LifeDay } from '../../../shared/sandbox/cloud/life.ts';
import type { VendorShapes } from '../../../shared/sandbox/cloud/shapes.ts';

export const replied = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): VendorReply => ({
  status,
  headers,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

export interface Talked<Result> {
  result: Result;
  requests: VendorRequest[];
}

export function talked<Result>(
  talk: Talk<Result>,
  answer: (request: VendorRequest, at: number) => VendorReply,
): Talked<Result> {
  const requests: VendorRequest[] = [];
  let step = talk.next();
  while (!step.done) {
    requests.push(step.value);
    step = talk.next(answer(step.value, requests.length - 1));
  }
  return { result: step.value, requests };
}

export const testCredentials: ProviderCredentials = {
  clientId: 'client-1',
  clientSecret: 'a secret of ours',
  more: {},
};

export const testAsked = (more: Partial<Asked> = {}): Asked => ({
  from: '2026-03-05',
  to: '2026-03-06',
  zone: 'UTC',
  account: '12345',
  scopes: null,
  nowMs: Date.UTC(2026, 2, 7, 12),
  credentials: testCredentials,
  ...more,
});

export function normalizedPages(
  normalize: Normalizer,
  pages: readonly VendorPage[],
  {
    asked = { from: '2026-03-05', to: '2026-03-06' },
    receivedMs = Date.UTC(2026, 2, 7, 12),
    timeZone = null,
  }: {
    asked?: { from: string; to: string } | null;
    receivedMs?: number;
    timeZone?: string | null;
  } = {},
): Normalized {
  const batch = rawPages({ source: 'withings', format: 1, timeZone }, { asked, pages }, '2026-03-07');
  const [part] = batch.parts();
  return normalize(Buffer.from(part?.content ?? ''), { receivedMs, scopes: [], timeZone });
}

/** A vendor of the sandbox that knows these days. */
export const servedBy =
  (shapes: VendorShapes, days: readonly LifeDay[], nowMs: number) =>
  ({ method, url, query = {}, form = {}, json }: VendorRequest): VendorReply => {
    const { host, pathname: path } = new URL(url);
    const reply = shapes.answer({ method, host, path, query, form, json, account: '12345', nowMs }, (resource, dates) =>
      shapes.items(
        resource,
        days.filter(({ date }) => !dates || (date >= dates.from && date <= dates.to)),
        '12345',
      ),
    );
    return reply ?? replied({ error: 'not found' }, 404);
  };
