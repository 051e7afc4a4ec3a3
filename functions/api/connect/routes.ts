// The pages where a person connects a wearable. They show no credential: the address itself is one. `state` is good for one consent, and `token` for one user's
// wearables for a day, so neither may be logged, shown on a page or handed on to another site.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { renderFailurePage } from '../../../shared/http/failure-page.ts';
import { formBody, html } from '../../../shared/http/responses.ts';

const tag = 'Connecting';
const publicPage = { callers: [], failurePage: renderFailurePage } as const;

/** A link holds where the person returns to, which may be as long as 2,048 characters. */
const maxLinkLength = 6_000;
const maxChoiceBytes = 2_000;

const textParameter = (description: string, example: string) => z.string().meta({ description, examples: [example] });

export const openConnectPage = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/connect/{state}',
    operationId: 'openConnectPage',
    tags: [tag],
    summary: 'Go to the provider',
    description:
      'The `auth_url` of a pending device. Sends the person to the provider’s consent page. Opening it uses nothing up, so that a mail scanner or a second tab does no harm. ' +
      'It sets a cookie for 15 minutes. The callback only accepts the browser that has it, so open the link in the browser that the person comes back to.',
    request: { params: z.object({ state: textParameter('Of the pending device.', 'f3K9xw2Qm7') }) },
    responses: {
      302: { description: 'On to the provider.' },
      402: html('The account is suspended.'),
      404: html('No such link, or its user was deleted.'),
      410: html('The link has expired, was used before or was revoked, or its API key has ended.'),
      503: html('This deployment has no working credentials for the provider.'),
    },
  }),
  publicPage,
);

export const completeConnectPage = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/connect/callback/{provider}',
    operationId: 'completeConnectPage',
    tags: [tag],
    summary: 'Return from the provider',
    description:
      'The redirect URL to register with a provider. Swaps the code, stores the tokens and makes the device `active`; then returns to `redirect_url` with `status`, ' +
      '`device_id` and `error` in its query, to the page that the person came from, or tells how it went. It only accepts the browser that opened the link; in any other, nothing changes. ' +
      '`HEAD` and prefetching change nothing.',
    request: {
      params: z.object({ provider: textParameter('A cloud provider.', 'oura') }),
      query: z.object({
        state: textParameter('As it was given to the provider.', 'f3K9xw2Qm7').optional(),
        code: textParameter('The provider’s, good once.', 'SplxlOBeZQQYbYS6WxSbIA').optional(),
        error: textParameter('Why there is no code.', 'access_denied').optional(),
      }),
    },
    responses: {
      200: html('The device is connected.'),
      302: { description: 'On to `redirect_url`, or back to the page that the person came from.' },
      400: html('The provider refused the code, or another provider answered.'),
      402: html('The account is suspended.'),
      403: html('The person gave no access, or too little, or came back in another browser.'),
      404: html('No such link, or its user was deleted.'),
      410: html('The link has expired, was used before or was revoked, or its API key has ended.'),
      425: html('The browser prefetched this page. It requests the page again when the person opens it.'),
      502: html('The provider could not be reached.'),
      503: html('This deployment has no working credentials for the provider.'),
    },
  }),
  publicPage,
);

const linkParams = z.object({ token: textParameter('Of a connect link.', '9vQ2hT5sLk') });

export const showConnectLink = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/connect/links/{token}',
    operationId: 'showConnectLink',
    tags: [tag],
    summary: 'Pick a provider',
    description:
      'The page of a connect link: what the person has connected, what can be connected, and a way to disconnect.',
    request: {
      params: linkParams,
      query: z.object({
        disconnect: textParameter(
          'Asks whether to disconnect this device.',
          'dev_01k9p3w4d6f8h0k2n4q6s8v0x2',
        ).optional(),
        notice: textParameter('How the last step went; other words are ignored.', 'connected').optional(),
        provider: textParameter('Which provider it was about.', 'oura').optional(),
      }),
    },
    responses: {
      200: html('The page.'),
      402: html('The account is suspended.'),
      404: html('No such link, or its user was deleted.'),
      410: html('The link has expired or was revoked, or its API key has ended.'),
    },
  }),
  { ...publicPage, maxParameterLength: maxLinkLength },
);

export const chooseOnConnectLink = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/connect/links/{token}',
    operationId: 'chooseOnConnectLink',
    tags: [tag],
    summary: 'Connect or disconnect on the page',
    description:
      'What the page’s buttons send: `connect` with a provider, or `disconnect` with a device. With `connect` goes `time_zone`, the browser’s, for a profile that has none; anything but an IANA name is ignored.',
    request: {
      params: linkParams,
      body: formBody('One choice.', { connect: 'oura', time_zone: 'Europe/Berlin' }),
    },
    responses: {
      303: { description: 'On to the provider, or back to the page.' },
      402: html('The account is suspended.'),
      404: html('No such link, or its user was deleted.'),
      410: html('The link has expired or was revoked, or its API key has ended.'),
    },
  }),
  {
    ...publicPage,
    maxParameterLength: maxLinkLength,
    bodyLimits: { wireBytes: maxChoiceBytes },
    failures: ['invalid_body', 'not_found'],
  },
);
