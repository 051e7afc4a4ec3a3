// The two days of March that Google Health and Withings are asked for, and what is read of them.
import type { CloudProviderId } from '../../../../shared/catalog/provider.ts';
import type { Asked } from '../../../../shared/providers/kit/adapter.ts';
import type { Normalized } from '../../../../shared/providers/kit/normalizer.ts';
import type { VendorPage } from '../../../../shared/providers/kit/pages.ts';
import type { LifeDay } from '../../../../shared/sandbox/simulated-providers/life.ts';
import type { VendorShapes } from '../../../../shared/sandbox/simulated-providers/shapes.ts';
import { itemsOfDays, playedBy } from '../../../harness/played-vendor.ts';
import { askedFor, normalizedPages } from '../../../harness/vendor-talk.ts';

const days = { from: '2026-03-05', to: '2026-03-06' };
const nowMs = Date.UTC(2026, 2, 7, 12);
const account = '12345';

export const askedInMarch = (more: Partial<Asked> = {}): Asked =>
  askedFor(days, { zone: 'UTC', account, nowMs, ...more });

export const readInMarch = (
  provider: CloudProviderId,
  pages: readonly VendorPage[],
  more: Parameters<typeof normalizedPages>[2] = {},
): Normalized => normalizedPages(provider, pages, { asked: days, receivedMs: nowMs, ...more });

export const playedInMarch = (shapes: VendorShapes, lived: readonly LifeDay[], untilMs: number) =>
  playedBy(shapes, itemsOfDays(shapes, lived, account), { account, nowMs: untilMs });
