// The OpenAPI documents of both forms, as the service serves them and as its pages show them.
import { isForConsole } from '../../../shared/http/endpoint.ts';
import { buildOpenApiDocument } from '../../../shared/http/openapi.ts';
import type { ApiForm } from '../../../shared/system/caller.ts';
import { consoleContract, consoleTags, contract, form1Contract, form1Tags, sentWebhooks, tags } from './contract.ts';

export const version = '1.0.0';
const lead = 'Connect wearables and read back one value per metric, per day, per user.';
const days = 'Days are calendar days in the user’s time zone.';
const errors =
  'A query parameter that a call does not take is a 400 `invalid_request` that names the nearest one; names that begin with `_` or `utm_` are ignored, and the calls of phones ignore every unknown name. [Errors](/docs/errors) explains every error code.';
const description = `${lead} Missing is \`null\`, never \`0\`. ${days} ${errors}`;
const form1Description =
  'This is Form 1, for accounts that were created with it: `npm run -s daybook -- accounts create --name "An older client" --form 1`. ' +
  `${lead} ${days} ` +
  'Responses are rows in a `data` envelope, and ranges are `start_date` and `end_date`. The values are the same as in Form 2. ' +
  'Daily metrics and the score history have no row where there is no value; everywhere else, a missing value is `null`, never `0`. ' +
  'Daily metrics also accept score ids, which have rows only if you name them. ' +
  'Users and workouts are returned in numbered pages (`page`, `per_page`), earliest first, with the exact `meta.total`. Items added while you page appear at the ' +
  'end; when an item is deleted, those after it move up by one place. ' +
  `The roster, invitations, events and webhook deliveries are the same in both forms and are paged by \`cursor\`. ${errors}`;

const consoleDescription =
  'The calls of the console’s own pages, for colleagues who are signed in. They may change at any time; programs use the API instead.';

const infoByForm = {
  1: { title: 'Daybook, Form 1', description: form1Description, tags: form1Tags },
  2: { title: 'Daybook', description, tags },
} as const;

const contractByForm = { 1: form1Contract, 2: contract } as const;

export const documentNames = { 1: 'openapi.form1.json', 2: 'openapi.json' } as const;

export const buildApiDocument = (form: ApiForm, serverUrl: string) =>
  buildOpenApiDocument(contractByForm[form], { version, serverUrl, webhooks: sentWebhooks, ...infoByForm[form] });

export const buildConsoleDocument = (serverUrl: string) =>
  buildOpenApiDocument(
    consoleContract,
    { title: 'Daybook, console', description: consoleDescription, version, serverUrl, tags: consoleTags, webhooks: {} },
    isForConsole,
  );
