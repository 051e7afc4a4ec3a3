// What is asked of Ultrahuman: one day after the other.
import { addDays, datesInRange, utcDay } from '../../model/local-day.ts';
import type { FetchRules } from '../adapter.ts';
import type { VendorPage } from '../pages.ts';
import { isOk, jsonIn, Unexpected } from '../vendor.ts';
import { ultrahuman } from './descriptor.ts';
import { UltrahumanReply } from './items.ts';

const mostAheadMs = 14 * 3_600_000;

export const ultrahumanFetch: FetchRules = {
  *window({ from, to, nowMs }) {
    const pages: VendorPage[] = [];
    // A night begins on the day before, and nobody says for sure on which of the two it is told. No day begins before it does in the farthest east.
    const begun = utcDay(nowMs + mostAheadMs);
    for (const date of datesInRange(addDays(from, -1), addDays(to, 1)).filter((each) => each <= begun)) {
      const reply = yield { method: 'GET', url: `${ultrahuman.apiUrl}/user_data/metrics`, query: { date } };
      if (reply.status === 403 || reply.status === 404) continue;
      const read = isOk(reply) ? UltrahumanReply.safeParse(jsonIn(reply)).data : undefined;
      if (!read) throw new Unexpected('Ultrahuman metrics', reply);
      if (read.data) pages.push({ resource: 'metrics', text: reply.text, of: date });
    }
    return pages;
  },
};
