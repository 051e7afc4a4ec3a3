// Short words for the bodies that a route takes and answers.
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

/** Not looked into: the handler, or whoever admits the caller, gets the bytes as they came (`c.req.arrayBuffer()`). The example is text as it is sent. */
export const rawBody = (contentType: string, description: string, example: string) => ({
  required: true,
  description,
  content: { [contentType]: { schema: { type: 'string' as const, format: 'binary' }, example } },
});

/** The fields of an HTML form; not looked into either. */
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

/** What every route that needs a plan in good standing may answer. */
export const paymentFailures = ['payment_required'] as const satisfies FailureCode[];
