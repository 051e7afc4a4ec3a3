// Parses the bearer token of the Authorization header, which several kinds of callers use.
import type { HonoRequest } from 'hono';
import { unknownKeyAdvice, unknownTokenText } from '../system/admission.ts';
import { Failure } from '../system/failure.ts';

export function parseBearerToken(request: HonoRequest): string | undefined {
  const header = request.header('authorization');
  if (!header) return undefined;
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (!token) throw new Failure('invalid_token', 'The Authorization header must have the form: Bearer <token>.');
  return token;
}

/** What all kinds with a bearer token have in common. */
export const bearerCredential = {
  isPresent: (request: HonoRequest): boolean => Boolean(request.header('authorization')),
  missingMessage: 'No token provided. Send it in the Authorization header: Bearer <token>.',
  unknownMessage: `${unknownTokenText} ${unknownKeyAdvice}`,
} as const;

export const bearerFailures = ['unauthorized', 'invalid_token', 'token_expired'] as const;
