// The sandbox's vendor as the other side of a talk, over days that a test has written down.
import type { VendorReply, VendorRequest } from '../../shared/providers/kit/vendor.ts';
import { type LifeDay, nothingTold } from '../../shared/sandbox/simulated-providers/life.ts';
import type { ItemsOf, VendorShapes } from '../../shared/sandbox/simulated-providers/shapes.ts';
import { replied } from './vendor-talk.ts';

export function playedBy(
  shapes: VendorShapes,
  items: ItemsOf,
  { account = 'account-1', nowMs = Date.parse('2026-03-10T12:00:00Z') } = {},
): (request: VendorRequest) => VendorReply {
  return ({ method, url, query, form = {}, json }) => {
    const { host, pathname: path, searchParams } = new URL(url);
    const asked = { ...Object.fromEntries(searchParams), ...query };
    const request = { method, host, path, query: asked, form, json, account, nowMs };
    return shapes.answer(request, items) ?? replied({ error: 'not_found' }, 404);
  };
}

/** The items of these days, as the sandbox's own lives give them, or a test's own where it has written some down. */
export const itemsOfDays =
  (
    shapes: VendorShapes,
    days: readonly LifeDay[],
    account = 'account-1',
    written: Readonly<Record<string, readonly unknown[]>> = {},
  ): ItemsOf =>
  (resource, dates) =>
    written[resource] ??
    shapes.items(
      resource,
      days.filter(({ date }) => !dates || (date >= dates.from && date <= dates.to)),
      account,
    );

/** A day of nothing, to be filled in. */
export function lifeDayOf(date: string, offsetMinutes = 0, told: Partial<LifeDay> = {}): LifeDay {
  const startMs = Date.parse(`${date}T00:00:00Z`) - offsetMinutes * 60_000;
  return {
    date,
    zone: 'UTC',
    startMs,
    endMs: startMs + 86_400_000,
    ...nothingTold,
    ...told,
  };
}
