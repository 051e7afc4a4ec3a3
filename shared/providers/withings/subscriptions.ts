// Pushes come for each person, and only for the kinds that were asked for. There is no expiry, but failing addresses may be dropped: so look every day.
import * as z from 'zod';
import type { SubscriptionRules } from '../kit/adapter.ts';
import type { VendorRequest } from '../kit/vendor.ts';
import { withings } from './descriptor.ts';
import { isNotAllowed, withingsEnvelope, withingsUnexpected } from './reply.ts';

/** Weight, temperature, pressure and pulse, activity, sleep, and what becomes of the account. */
const kinds = [1, 2, 4, 16, 44, 46];
const dayMs = 86_400_000;
/** They check the address with each subscription, and refuse when that happens too fast. */
const refusedAgainMs = 60_000;

const Subscriptions = z.looseObject({
  profiles: z.array(z.looseObject({ appli: z.number(), callbackurl: z.string().nullish() })).nullish(),
});

const notify = (form: Readonly<Record<string, string>>): VendorRequest => ({
  method: 'POST',
  url: `${withings.apiUrl}/notify`,
  form,
});

export const withingsSubscriptions: SubscriptionRules = {
  *ofPerson({ callbackUrl, nowMs }) {
    const listed = yield notify({ action: 'list' });
    const envelope = withingsEnvelope(listed);
    if (envelope?.status !== 0) throw withingsUnexpected('subscriptions', listed);
    const profiles = Subscriptions.safeParse(envelope.body).data?.profiles ?? [];
    const missing = kinds.filter(
      (kind) => !profiles.some(({ appli, callbackurl }) => appli === kind && callbackurl === callbackUrl),
    );
    let made = 0;
    for (const kind of missing) {
      const reply = yield notify({ action: 'subscribe', callbackurl: callbackUrl, appli: String(kind) });
      const answer = withingsEnvelope(reply);
      // A kind that the person has not allowed stays out; the others are still wanted.
      if (answer && isNotAllowed(answer)) continue;
      if (answer?.status === 0) made++;
      else if (made > 0) return { againMs: nowMs + refusedAgainMs };
      else throw withingsUnexpected('subscription', reply);
    }
    return { againMs: nowMs + dayMs };
  },
};
