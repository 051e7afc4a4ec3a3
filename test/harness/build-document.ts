// The OpenAPI document of one form of the contract, as the service serves it.
import { type contract, sentWebhooks, tags } from '../../functions/api/reference/contract.ts';
import { isDocumented } from '../../shared/http/endpoint.ts';
import { buildOpenApiDocument } from '../../shared/http/openapi.ts';

export const buildDocument = (endpoints: typeof contract, isIncluded = isDocumented) =>
  buildOpenApiDocument(
    endpoints,
    {
      version: '1.0.0',
      serverUrl: 'https://api.example.com',
      description: 'A description.',
      tags,
      webhooks: sentWebhooks,
    },
    isIncluded,
  );
