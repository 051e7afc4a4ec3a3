// The headers that responses share, in the words of the OpenAPI document.

export const headerComponents = {
  XRequestId: {
    description: 'Names this request in our logs.',
    schema: { type: 'string' },
    example: '3f0d6f0e-5f0a-4f6e-9a53-0f2f3f1b7c11',
  },
  RateLimitPolicy: {
    description: 'The limit: a quota of requests per window of seconds.',
    schema: { type: 'string' },
    example: '"default";q=200;w=2',
  },
  RateLimit: {
    description:
      'What is left of the quota, and the seconds until it is whole again. For limits above 500 requests a second, an estimate.',
    schema: { type: 'string' },
    example: '"default";r=199;t=1',
  },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' }, example: 1 },
} as const;

export const commonHeaders = {
  'X-Request-Id': { $ref: '#/components/headers/XRequestId' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

export const retryAfterHeader = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
