import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import { getProviderAdapter } from '../../../shared/providers/adapters.ts';
import type { Normalized } from '../../../shared/providers/kit/normalizer.ts';
import type { DayWindow } from '../../../shared/providers/kit/provider-pages.ts';
import type { SimulatedDay } from '../../../shared/sandbox/simulated-providers/simulated-day.ts';
import { getSimulator } from '../../../shared/sandbox/simulated-providers/simulators.ts';
import { makeFetchRequest, makeGrantContext, normalizePages, runRequestFlow } from '../../harness/request-flow.ts';
import { itemsOfDays, respondAsProvider } from '../../harness/simulated-provider.ts';

/** Fetches a window from a simulated account that has these days, and normalizes the pages. */
export function readSimulatedWindow(
  provider: CloudProviderId,
  days: readonly SimulatedDay[],
  { window, timeZone, nowMs }: { window: DayWindow; timeZone: string; nowMs: number },
): Normalized {
  const { fetch, grant } = getProviderAdapter(provider);
  const simulator = getSimulator(provider);
  const respond = respondAsProvider(simulator, itemsOfDays(simulator, days), { nowMs });
  const flow = fetch.fetchWindow(makeFetchRequest(window, { nowMs, zone: timeZone }));
  const pages = runRequestFlow(flow, (request) =>
    respond(grant.authorizeRequest?.(request, makeGrantContext()) ?? request),
  ).result;
  return normalizePages(provider, pages, { requested: window, timeZone, receivedMs: nowMs });
}
