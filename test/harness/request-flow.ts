// Runs request flows against scripted provider responses, and normalizes what was fetched.
import { expect } from 'vitest';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import type { Records } from '../../shared/measurements/records.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import { cloudNormalizers } from '../../shared/providers/cloud-normalizers.ts';
import type { FetchRequest } from '../../shared/providers/kit/adapter.ts';
import type { GrantContext } from '../../shared/providers/kit/grant.ts';
import type { Normalized } from '../../shared/providers/kit/normalizer.ts';
import { type DayWindow, type ProviderPage, toRawPages } from '../../shared/providers/kit/provider-pages.ts';
import type { PushKeys, PushRequest } from '../../shared/providers/kit/push.ts';
import type {
  ProviderCredentials,
  ProviderRequest,
  ProviderResponse,
  RequestFlow,
} from '../../shared/providers/kit/request-flow.ts';

export const testCredentials: ProviderCredentials = { clientId: 'client-1', clientSecret: 'secret-1', more: {} };

export const makeResponse = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): ProviderResponse => ({
  status,
  headers,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

type ScriptedResponses = ((request: ProviderRequest, at: number) => ProviderResponse) | readonly ProviderResponse[];

/** Returns every request and the result of the flow. A list of responses must be used up. */
export function runRequestFlow<Result>(
  flow: RequestFlow<Result>,
  responses: ScriptedResponses,
): { result: Result; requests: ProviderRequest[] } {
  const requests: ProviderRequest[] = [];
  const replyTo = (request: ProviderRequest, at: number): ProviderResponse => {
    const response = typeof responses === 'function' ? responses(request, at) : responses[at];
    if (!response) throw new Error(`no scripted response for ${request.method} ${request.url}`);
    return response;
  };
  let step = flow.next();
  while (!step.done) {
    requests.push(step.value);
    step = flow.next(replyTo(step.value, requests.length - 1));
  }
  if (typeof responses !== 'function') expect(requests).toHaveLength(responses.length);
  return { result: step.value, requests };
}

export const makeFetchRequest = (window: DayWindow, more: Partial<FetchRequest> = {}): FetchRequest => ({
  ...window,
  zone: null,
  account: 'account-1',
  scopes: null,
  nowMs: Date.parse('2026-03-10T12:00:00Z'),
  credentials: testCredentials,
  ...more,
});

export const makeGrantContext = (more: Partial<GrantContext['grant']> = {}): GrantContext => ({
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

export const makePushRequest = (body: string, more: Partial<PushRequest> = {}): PushRequest => ({
  method: 'POST',
  headers: {},
  query: {},
  pathSecret: undefined,
  body: Buffer.from(body),
  receivedMs: Date.parse('2026-03-10T12:00:00Z'),
  ...more,
});

/**
 * The summary of each night, by metric. Null means that the night retracts the value. Metrics that
 * it does not mention are absent.
 */
export const nightSummaries = ({ sleep }: Records): Record<string, number | null>[] =>
  sleep.map(({ summary = {} }) =>
    Object.fromEntries(Object.entries(summary).map(([metric, value]) => [metric, value?.value ?? null])),
  );

/** Encodes the pages to the stored bytes and normalizes those. */
export function normalizePages(
  provider: CloudProviderId,
  pages: readonly ProviderPage[],
  {
    requested = null,
    timeZone = null,
    receivedMs = Date.parse('2026-03-10T12:00:00Z'),
  }: { requested?: DayWindow | null; timeZone?: string | null; receivedMs?: number } = {},
): Normalized {
  const source = { source: provider, format: providerDescriptors[provider].format };
  const raw = toRawPages({ ...source, timeZone }, { requested, pages }, '2026-03-10');
  const normalizer = cloudNormalizers.find((each) => each.source === provider && each.format === source.format);
  if (!normalizer) throw new Error(`no normalizer for ${provider}`);
  return normalizer.normalize(Buffer.from(raw.content), { receivedMs, scopes: [], timeZone });
}
