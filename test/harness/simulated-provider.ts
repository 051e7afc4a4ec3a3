// The sandbox's provider as the remote side of a request flow, with days written by the test.
import type { ProviderRequest, ProviderResponse } from '../../shared/providers/kit/request-flow.ts';
import { emptySimulatedDay, type SimulatedDay } from '../../shared/sandbox/simulated-providers/simulated-day.ts';
import type { ItemSource, ProviderSimulator } from '../../shared/sandbox/simulated-providers/simulator.ts';
import { makeResponse } from './request-flow.ts';

export function respondAsProvider(
  shapes: ProviderSimulator,
  items: ItemSource,
  { account = 'account-1', nowMs = Date.parse('2026-03-10T12:00:00Z') } = {},
): (request: ProviderRequest) => ProviderResponse {
  return ({ method, url, query, form = {}, json }) => {
    const { host, pathname: path, searchParams } = new URL(url);
    const parameters = { ...Object.fromEntries(searchParams), ...query };
    const request = { method, host, path, query: parameters, form, json, account, nowMs };
    return shapes.respond(request, items) ?? makeResponse({ error: 'not_found' }, 404);
  };
}

/**
 * The items of these days as the sandbox generates them, or the test's own items where it provides
 * some.
 */
export const itemsOfDays =
  (
    shapes: ProviderSimulator,
    days: readonly SimulatedDay[],
    account = 'account-1',
    written: Readonly<Record<string, readonly unknown[]>> = {},
  ): ItemSource =>
  (resource, dates) =>
    written[resource] ??
    shapes.listItems(
      resource,
      days.filter(({ date }) => !dates || (date >= dates.from && date <= dates.to)),
      account,
    );

/** An empty day, to be filled in. */
export function makeLifeDay(date: string, offsetMinutes = 0, overrides: Partial<SimulatedDay> = {}): SimulatedDay {
  const startMs = Date.parse(`${date}T00:00:00Z`) - offsetMinutes * 60_000;
  return {
    date,
    zone: 'UTC',
    startMs,
    endMs: startMs + 86_400_000,
    ...emptySimulatedDay,
    ...overrides,
  };
}
