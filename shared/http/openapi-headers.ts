// The headers that responses share, for the OpenAPI document.

export const headerComponents = {
  XRequestId: {
    description: 'Identifies this request in our logs.',
    schema: { type: 'string' },
    example: '3f0d6f0e-5f0a-4f6e-9a53-0f2f3f1b7c11',
  },
  RateLimitPolicy: {
    description: 'The rate limit: a quota of requests (`q`) per window of seconds (`w`).',
    schema: { type: 'string' },
    example: '"default";q=200;w=2',
  },
  RateLimit: {
    description:
      'The remaining quota, and the seconds until it is fully restored. For limits above 500 requests per second, this is an estimate.',
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
