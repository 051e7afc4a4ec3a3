// Lets an adapter's talk speak with a vendor of the sandbox, over days of a life or items that a test wrote down.
import type { VendorReply, VendorRequest } from '../../../shared/providers/vendor.ts';
import type { LifeDay } from '../../../shared/sandbox/vendor/life.ts';
import type { ItemsOf, VendorShapes } from '../../../shared/sandbox/vendor/shapes.ts';

export const itemsOfDays =
  (shapes: VendorShapes, days: readonly LifeDay[], account: string): ItemsOf =>
  (resource, dates) =>
    shapes.items(
      resource,
      days.filter(({ date }) => !dates || (date >= dates.from && date <= dates.to)),
      account,
    );

export const servedBy =
  (shapes: VendorShapes, items: ItemsOf, { account, nowMs }: { account: string; nowMs: number }) =>
  ({ method, url, query = {}, form = {}, json }: VendorRequest): VendorReply => {
    const { host, pathname: path } = new URL(url);
    const reply = shapes.answer({ method, host, path, query, form, json, account, nowMs }, items);
    return reply ?? { status: 404, headers: {}, text: '' };
  };
