// The response at `/` for programs: what this service is and where its documentation is.
import * as z from 'zod';
import { docsPages } from '../docs-kit/docs-page.ts';

export const contractVersion = z.string().meta({ description: 'The version of the contract.', examples: ['1.0.0'] });

const links = [
  { link: 'console', path: '/console', summary: 'The console, for people who manage an account.' },
  ...docsPages,
  { link: 'openapi', path: '/openapi.json', summary: 'The OpenAPI document.' },
  { link: 'openapi_form1', path: '/openapi.form1.json', summary: 'The OpenAPI document for accounts on Form 1.' },
  { link: 'health', path: '/healthz', summary: 'The health check.' },
];

export const ServiceIndex = z
  .object({
    name: z.literal('Daybook').meta({ description: 'The name of the service.', examples: ['Daybook'] }),
    version: contractVersion,
    links: z
      .object(
        Object.fromEntries(
          links.map(({ link, path, summary }) => [
            link,
            z.url().meta({ description: summary, examples: [`https://api.example.com${path}`] }),
          ]),
        ),
      )
      .meta({ description: 'Where to go from here.' }),
  })
  .meta({ id: 'ServiceIndex', description: 'What this service is and where its documentation is.' });
type ServiceIndex = z.infer<typeof ServiceIndex>;

export const buildServiceIndex = (origin: string, version: string): ServiceIndex => ({
  name: 'Daybook',
  version,
  links: Object.fromEntries(links.map(({ link, path }) => [link, origin + path])),
});
