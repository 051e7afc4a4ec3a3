// Weight and fitness, which Polar serves in transactions. None is committed, because that would
// erase the data at Polar before it is stored here.
import * as z from 'zod';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import type { FetchRequest } from '../kit/adapter.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import {
  isOk,
  type ProviderRequest,
  type ProviderResponse,
  parseResponseJson,
  type RequestFlow,
  UnexpectedResponse,
} from '../kit/request-flow.ts';
import { polar } from './descriptor.ts';

/** Earlier entries were read by previous syncs. */
const maxEntries = 3;

const TransactionResponse = z.looseObject({ 'transaction-id': z.union([z.int(), z.string().regex(/^\d+$/)]) });
const ListResponse = z.looseObject({ 'physical-informations': z.array(z.string()) });

/** There is no data, it is not allowed, or another transaction is still open. */
const isEmpty = ({ status }: ProviderResponse): boolean => [204, 403, 404, 409].includes(status);

/** Runs only with the latest days, because the result is the same for every window. */
export function* fetchPhysical({ account, to, nowMs }: FetchRequest): RequestFlow<ProviderPage[]> {
  if (to < addDays(utcDay(nowMs), -1)) return [];
  const url = `${polar.apiUrl}/users/${encodeURIComponent(account)}/physical-information-transactions`;
  const opened = yield* fetchParsed({ method: 'POST', url }, TransactionResponse);
  if (!opened) return [];
  const transaction = `${url}/${opened['transaction-id']}`;
  const listed = yield* fetchParsed({ method: 'GET', url: transaction }, ListResponse);
  const ids = (listed?.['physical-informations'] ?? []).flatMap((address) => /\/(\d+)$/.exec(address)?.[1] ?? []);
  const pages: ProviderPage[] = [];
  for (const id of ids.toSorted((a, b) => Number(a) - Number(b)).slice(-maxEntries)) {
    const response = yield acceptJson({ method: 'GET', url: `${transaction}/physical-informations/${id}` });
    if (isOk(response)) pages.push({ resource: 'physical', parameter: id, text: response.text });
    else if (!isEmpty(response)) throw new UnexpectedResponse('Polar physical information', response);
  }
  return pages;
}

const acceptJson = (request: ProviderRequest): ProviderRequest => ({
  ...request,
  headers: { accept: 'application/json' },
});

function* fetchParsed<Shape>(request: ProviderRequest, shape: z.ZodType<Shape>): RequestFlow<Shape | undefined> {
  const response = yield acceptJson(request);
  if (isEmpty(response)) return undefined;
  const parsed = isOk(response) ? shape.safeParse(parseResponseJson(response)).data : undefined;
  if (!parsed) throw new UnexpectedResponse('Polar physical information', response);
  return parsed;
}
