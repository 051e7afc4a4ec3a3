// What every route that takes JSON refuses in a body.
import { expect, test } from 'vitest';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { ApiResponse, RequestOptions } from '../harness/send-request.ts';
import type { Sample } from './samples.ts';
import { listTextFields } from './text-fields.ts';

export interface RouteCalls {
  getSample: () => Promise<Sample>;
  /** Sends the sample with these changes. */
  send: (change: RequestOptions) => Promise<ApiResponse>;
}

export function testMalformedBodies(endpoint: Endpoint, { getSample, send }: RouteCalls): void {
  test.each([
    ['not JSON', '{"a":', {}, 400, 'invalid_body'],
    ['not an object', '[1]', {}, 400, 'invalid_body'],
    ['empty', '', {}, 400, 'invalid_body'],
    ['null', 'null', {}, 400, 'invalid_body'],
    ['an object with an unknown field', '{"surprise":1}', {}, 400, 'invalid_body'],
    ['not valid UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), {}, 400, 'invalid_body'],
    ['plain text', 'hello', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['in an unsupported content encoding', 'hello', { 'content-encoding': 'br' }, 415, 'unsupported_media_type'],
  ])('rejects a body that is %s', async (_what, raw, headers, status, code) => {
    const response = await send({ raw, headers });
    expect([response.status, response.body.error]).toEqual([status, code]);
  });

  test('rejects a wrong type in every field and names the field', async () => {
    const sample = await getSample();
    for (const field of Object.keys(sample.body as object)) {
      const response = await send({ body: { ...(sample.body as object), [field]: { wrong: true } } });
      expect([field, response.status, response.body.error]).toEqual([field, 400, 'invalid_body']);
      expect(response.body.details.issues[0].path.split('.')[0]).toBe(field);
    }
  });

  test('rejects text that is not valid Unicode in every field', async () => {
    const fields = listTextFields(endpoint, await getSample());
    expect(fields).not.toEqual([]);
    for (const { path, body } of fields) {
      const response = await send({ body });
      expect([path, describeRefusal(response, path), response.text]).toEqual([path, 'refused', response.text]);
    }
  });
}

/**
 * `refused` if the field is the reason: a status such as 409 or 429 has another one. An upload
 * refuses a record alone, and stores the others.
 */
function describeRefusal({ status, body }: ApiResponse, path: string): string {
  const reasons: { path: string }[] | undefined = status === 202 ? body.rejected : body.details?.issues;
  const isRefused = reasons ? reasons.some((reason) => reason.path === path) : [400, 401, 404].includes(status);
  return isRefused ? 'refused' : `status ${status}`;
}
