// The response at `/` for programs: what this service is and where its documentation is.
import * as z from 'zod';

export const contractVersion = z.string().meta({ description: 'The version of the contract.', examples: ['1.0.0'] });

const link = (description: string, path: string) =>
  z.url().meta({ description, examples: [`https://api.example.com${path}`] });

export const ServiceIndex = z
  .object({
    name: z.literal('Daybook').meta({ description: 'The name of the service.', examples: ['Daybook'] }),
    version: contractVersion,
    links: z
      .object({
        docs: link('The interactive reference.', '/docs'),
        openapi: link('The OpenAPI document.', '/openapi.json'),
        openapi_form1: link('The OpenAPI document for accounts on Form 1.', '/openapi.form1.json'),
        providers: link('What every provider reports, and how to set it up.', '/docs/providers'),
        scores: link('How scores are computed.', '/docs/scores'),
        webhooks: link('How to receive webhooks.', '/docs/webhooks'),
        errors: link('What every error code means.', '/docs/errors'),
        erasure: link('What is erased when a user is deleted.', '/docs/erasure'),
        demo: link('Charts of a sandbox user.', '/docs/demo'),
        health: link('The health check.', '/healthz'),
      })
      .meta({ description: 'Where to go from here.' }),
  })
  .meta({ id: 'ServiceIndex', description: 'What this service is and where its documentation is.' });
type ServiceIndex = z.infer<typeof ServiceIndex>;

export const buildServiceIndex = (origin: string, version: string): ServiceIndex => ({
  name: 'Daybook',
  version,
  links: {
    docs: `${origin}/docs`,
    openapi: `${origin}/openapi.json`,
    openapi_form1: `${origin}/openapi.form1.json`,
    providers: `${origin}/docs/providers`,
    scores: `${origin}/docs/scores`,
    webhooks: `${origin}/docs/webhooks`,
    errors: `${origin}/docs/errors`,
    erasure: `${origin}/docs/erasure`,
    demo: `${origin}/docs/demo`,
    health: `${origin}/healthz`,
  },
});
