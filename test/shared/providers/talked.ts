// Runs an adapter's talk by hand, without anybody between it and the answers.
import type { Talk, VendorReply, VendorRequest } from '../../../shared/providers/vendor.ts';

export const told = (body: unknown, status = 200): VendorReply => ({
  status,
  headers: {},
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

export interface Talked<Result> {
  result: Result;
  requests: VendorRequest[];
}

export function talked<Result>(talk: Talk<Result>, answer: (request: VendorRequest) => VendorReply): Talked<Result> {
  const requests: VendorRequest[] = [];
  for (let step = talk.next(); ; step = talk.next(answer(requests.at(-1) ?? unasked()))) {
    if (step.done) return { result: step.value, requests };
    requests.push(step.value);
    if (requests.length > 100) throw new Error('the talk does not come to an end');
  }
}

function unasked(): never {
  throw new Error('an answer was given before anything was asked');
}

/** As `/path?name=value&…`, with the names in order. */
export const asPath = ({ url, query }: VendorRequest): string =>
  `${new URL(url).pathname}${query ? `?${new URLSearchParams(Object.entries(query))}` : ''}`;
