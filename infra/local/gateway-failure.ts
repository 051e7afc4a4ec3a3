// A failure as the response of the gateway itself.
import { randomUUID } from 'node:crypto';
import { toFailureResponse } from '../../shared/http/failure-response.ts';
import { browserHeaders, buildRateLimitHeaders } from '../../shared/http/response-headers.ts';
import type { Failure } from '../../shared/system/failure.ts';
import type { GatewayResponse } from './http-event.ts';

/**
 * Responses of the gateway itself have the same body as all other failures. (On AWS, API Gateway
 * uses its own texts for these.) `protocolStatus` is for statuses that no failure of the API has.
 */
export function toGatewayResponse(failure: Failure, protocolStatus?: number): GatewayResponse {
  const { status, headers, body } = toFailureResponse(failure);
  return {
    status: protocolStatus ?? status,
    headers: {
      'Content-Type': 'application/json',
      ...browserHeaders,
      ...headers,
      ...buildRateLimitHeaders(undefined),
      ...browserHeaders,
      'X-Request-Id': randomUUID(),
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}
