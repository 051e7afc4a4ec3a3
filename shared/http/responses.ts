// Shorthands for the request and response bodies of a route.
import * as z from 'zod';
import type { FailureCode } from '../system/failure.ts';

export const json = <S extends z.ZodType>(schema: S, description: string, example?: unknown) => ({
  description,
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});

export const jsonBody = <S extends z.ZodType>(schema: S, example?: unknown) => ({
  required: true,
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});

/**
 * A body that is not parsed: the handler, or the code that admits the caller, receives the raw
 * bytes (`c.req.arrayBuffer()`). The example is the text as sent.
 */
export const rawBody = (contentType: string, description: string, example: string) => ({
  required: true,
  description,
  content: { [contentType]: { schema: { type: 'string' as const, format: 'binary' }, example } },
});

/** The fields of an HTML form. They are not parsed either. */
export const formBody = (description: string, example: Readonly<Record<string, string>>) => ({
  required: true,
  description,
  content: {
    'application/x-www-form-urlencoded': {
      schema: { type: 'object' as const, additionalProperties: { type: 'string' as const } },
      example,
    },
  },
});

export const htmlType = 'text/html; charset=utf-8';

export const html = (description: string) => ({ description, content: { [htmlType]: { schema: z.string() } } });

/** The failures of every route that requires an active plan. */
export const paymentFailures = ['payment_required'] as const satisfies FailureCode[];
