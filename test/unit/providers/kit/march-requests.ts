// The two days of March that are requested from Google Health and Withings, and the records read
// from them.
import type { CloudProviderId } from '../../../../shared/catalog/provider.ts';
import type { FetchRequest } from '../../../../shared/providers/kit/adapter.ts';
import type { Normalized } from '../../../../shared/providers/kit/normalizer.ts';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import type { SimulatedDay } from '../../../../shared/sandbox/simulated-providers/simulated-day.ts';
import type { ProviderSimulator } from '../../../../shared/sandbox/simulated-providers/simulator.ts';
import { makeFetchRequest, normalizePages } from '../../../harness/request-flow.ts';
import { itemsOfDays, respondAsProvider } from '../../../harness/simulated-provider.ts';

const days = { from: '2026-03-05', to: '2026-03-06' };
const nowMs = Date.UTC(2026, 2, 7, 12);
const account = '12345';

export const marchFetchRequest = (more: Partial<FetchRequest> = {}): FetchRequest =>
  makeFetchRequest(days, { zone: 'UTC', account, nowMs, ...more });

export const readInMarch = (
  provider: CloudProviderId,
  pages: readonly ProviderPage[],
  more: Parameters<typeof normalizePages>[2] = {},
): Normalized => normalizePages(provider, pages, { requested: days, receivedMs: nowMs, ...more });

export const respondInMarch = (shapes: ProviderSimulator, simulatedDays: readonly SimulatedDay[], untilMs: number) =>
  respondAsProvider(shapes, itemsOfDays(shapes, simulatedDays, account), { account, nowMs: untilMs });
