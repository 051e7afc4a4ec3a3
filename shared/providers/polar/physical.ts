// Weight and fitness, which Polar hands out in transactions. None is committed: that would erase it there before it is kept here.
import * as z from 'zod';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import type { Asked } from '../kit/adapter.ts';
import type { VendorPage } from '../kit/pages.ts';
import { isOk, jsonIn, type Talk, Unexpected, type VendorReply, type VendorRequest } from '../kit/vendor.ts';
import { polar } from './descriptor.ts';

/** Whatever was entered before has been read before. */
const mostEntries = 3;

const Opened = z.looseObject({ 'transaction-id': z.union([z.int(), z.string().regex(/^\d+$/)]) });
const Listed = z.looseObject({ 'physical-informations': z.array(z.string()) });

/** None, not allowed, or another transaction is open still. */
const isNone = ({ status }: VendorReply): boolean => [204, 403, 404, 409].includes(status);

/** Only with the latest days: it is the same for all. */
export function* askedPhysical({ account, to, nowMs }: Asked): Talk<VendorPage[]> {
  if (to < addDays(utcDay(nowMs), -1)) return [];
  const url = `${polar.apiUrl}/users/${encodeURIComponent(account)}/physical-information-transactions`;
  const opened = yield* answer({ method: 'POST', url }, Opened);
  if (!opened) return [];
  const transaction = `${url}/${opened['transaction-id']}`;
  const listed = yield* answer({ method: 'GET', url: transaction }, Listed);
  const ids = (listed?.['physical-informations'] ?? []).flatMap((address) => /\/(\d+)$/.exec(address)?.[1] ?? []);
  const pages: VendorPage[] = [];
  for (const id of ids.toSorted((a, b) => Number(a) - Number(b)).slice(-mostEntries)) {
    const reply = yield asJson({ method: 'GET', url: `${transaction}/physical-informations/${id}` });
    if (isOk(reply)) pages.push({ resource: 'physical', of: id, text: reply.text });
    else if (!isNone(reply)) throw new Unexpected('Polar physical information', reply);
  }
  return pages;
}

const asJson = (request: VendorRequest): VendorRequest => ({ ...request, headers: { accept: 'application/json' } });

function* answer<Shape>(request: VendorRequest, shape: z.ZodType<Shape>): Talk<Shape | undefined> {
  const reply = yield asJson(request);
  if (isNone(reply)) return undefined;
  const read = isOk(reply) ? shape.safeParse(jsonIn(reply)).data : undefined;
  if (!read) throw new Unexpected('Polar physical information', reply);
  return read;
}
