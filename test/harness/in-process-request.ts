// Sends one request to a route group without a gateway in front of it.
import type { Api } from '../../shared/http/api.ts';

export interface InProcessRequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  address?: string;
  /** The origin that the deployment is reached at. */
  origin?: string;
}

const defaultOrigin = 'https://daybook.example';

export const requestInProcess = (api: Api, path: string, options: InProcessRequestOptions = {}): Promise<Response> => {
  const { method = 'GET', headers = {}, body, address = '192.0.2.1', origin = defaultOrigin } = options;
  const request = new Request(origin + path, { method, headers, ...(body === undefined ? {} : { body }) });
  return api.fetch(request, { requestId: 'a-request', origin, address });
};
