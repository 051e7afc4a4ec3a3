// Pushes are per user, and only for the subscribed categories. Subscriptions do not expire, but
// failing URLs may be dropped, so they are checked every day.
import * as z from 'zod';
import type { SubscriptionAdapter } from '../kit/adapter.ts';
import type { ProviderRequest } from '../kit/request-flow.ts';
import { withings } from './descriptor.ts';
import { isNotAllowed, parseWithingsEnvelope, toWithingsError } from './envelope.ts';

/** Weight, temperature, blood pressure and pulse, activity, sleep, and changes of the account. */
const notificationCategories = [1, 2, 4, 16, 44, 46];
const dayMs = 86_400_000;
/** Withings checks the URL with each subscription, and refuses if that happens too fast. */
const retryDelayMs = 60_000;

const Subscriptions = z.looseObject({
  profiles: z.array(z.looseObject({ appli: z.number(), callbackurl: z.string().nullish() })).nullish(),
});

const buildNotifyRequest = (form: Readonly<Record<string, string>>): ProviderRequest => ({
  method: 'POST',
  url: `${withings.apiUrl}/notify`,
  form,
});

export const withingsSubscriptions: SubscriptionAdapter = {
  *ensureForUser({ callbackUrl, nowMs }) {
    const listResponse = yield buildNotifyRequest({ action: 'list' });
    const envelope = parseWithingsEnvelope(listResponse);
    if (envelope?.status !== 0) throw toWithingsError('subscriptions', listResponse);
    const profiles = Subscriptions.safeParse(envelope.body).data?.profiles ?? [];
    const missing = notificationCategories.filter(
      (kind) => !profiles.some(({ appli, callbackurl }) => appli === kind && callbackurl === callbackUrl),
    );
    let createdCount = 0;
    for (const kind of missing) {
      const response = yield buildNotifyRequest({ action: 'subscribe', callbackurl: callbackUrl, appli: String(kind) });
      const result = parseWithingsEnvelope(response);
      // A category that the user has not allowed is skipped; the others are still needed.
      if (result && isNotAllowed(result)) continue;
      if (result?.status === 0) createdCount++;
      else if (createdCount > 0) return { renewMs: nowMs + retryDelayMs };
      else throw toWithingsError('subscription', response);
    }
    return { renewMs: nowMs + dayMs };
  },
};
