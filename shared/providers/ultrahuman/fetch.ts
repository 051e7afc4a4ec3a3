// What is asked of Ultrahuman: one day after the other.
import { datesInRange } from '../../platform/time/local-day.ts';
import type { FetchRules } from '../kit/adapter.ts';
import { datesOfVendor, lastDateBegun } from '../kit/days-asked.ts';
import type { VendorPage } from '../kit/pages.ts';
import { isOk, jsonIn, Unexpected } from '../kit/vendor.ts';
import { ultrahuman } from './descriptor.ts';
import { UltrahumanReply } from './items.ts';

export const ultrahumanFetch: FetchRules = {
  *window({ from, to, zone, nowMs }) {
    const pages: VendorPage[] = [];
    const dates = datesOfVendor({ from, to }, zone);
    for (const date of datesInRange(dates.from, dates.to).filter((each) => each <= lastDateBegun(nowMs))) {
      const reply = yield { method: 'GET', url: `${ultrahuman.apiUrl}/user_data/metrics`, query: { date } };
      if (reply.status === 403 || reply.status === 404) continue;
      const read = isOk(reply) ? UltrahumanReply.safeParse(jsonIn(reply)).data : undefined;
      if (!read) throw new Unexpected('Ultrahuman metrics', reply);
      if (read.data) pages.push({ resource: 'metrics', text: reply.text, of: date });
    }
    return pages;
  },
};
