// Where a route takes ids, and the codes with which it says that nothing has such an id.
import * as z from 'zod';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { failureStatus } from '../../shared/http/failure-status.ts';

const listPathParameters = ({ route }: Endpoint): string[] =>
  [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** An invalid date or metric is a failure of its own, as it is in a query. */
const valueParameters: ReadonlySet<string> = new Set(['date', 'metric']);

export const listIdParameters = (endpoint: Endpoint): string[] =>
  listPathParameters(endpoint).filter((name) => !valueParameters.has(name));

export function takesUserInBody({ route }: Endpoint): boolean {
  const media = route.request?.body?.content['application/json'];
  const schema = media && 'schema' in media ? media.schema : undefined;
  return schema instanceof z.ZodObject && 'user_id' in schema.shape;
}

/** An id of the same kind and length that nothing has. */
export const missingIdLike = (id: string): string => id.replace(/[^_]+$/, (rest) => '0'.repeat(rest.length));

export const list404Codes = ({ failures = [] }: Endpoint): string[] =>
  failures.filter((code) => failureStatus[code] === 404);
