// Routes for the pages where a user connects a wearable. The URL itself is the credential: `state`
// is valid for one consent, and `token` for one user's wearables for one day. Neither may be
// logged, shown on a page or passed to another site.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { renderFailurePage } from '../../../shared/http/failure-page.ts';
import { formBody, html } from '../../../shared/http/responses.ts';

const tag = 'Connecting';
const publicPage = { callers: [], reveals: 'nothing', failurePage: renderFailurePage } as const;

/** A link contains the URL that the user returns to, which can be up to 2,048 characters long. */
const maxLinkLength = 6_000;
const maxChoiceBytes = 2_000;

const textParameter = (description: string, example: string) => z.string().meta({ description, examples: [example] });

export const openConnectPage = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/connect/{state}',
    operationId: 'openConnectPage',
    tags: [tag],
    summary: 'Open the consent page',
    description:
      'The `auth_url` of a pending device. Redirects the user to the provider’s consent page. Opening the link does not use it up, so mail scanners and second tabs do no harm. ' +
      'It sets a cookie for 15 minutes. The callback only accepts the browser that has this cookie, so open the link in the browser that the user will return to.',
    request: { params: z.object({ state: textParameter('The state of the pending device.', 'f3K9xw2Qm7') }) },
    responses: {
      302: { description: 'Redirects to the provider.' },
      402: html('The account is suspended.'),
      404: html('The link does not exist, or its user was deleted.'),
      410: html(
        'The link has expired, has already been used or was revoked, or the API key or colleague that made it has ended.',
      ),
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
      'The redirect URL to register with a provider. Exchanges the code, stores the tokens and sets the device to `active`. It then redirects to `redirect_url` with `status`, ' +
      '`device_id` and `error` in the query, or to the page that the user came from, or shows the outcome. Only the browser that opened the link is accepted; a request from any other browser changes nothing. ' +
      '`HEAD` requests and prefetching change nothing.',
    request: {
      params: z.object({ provider: textParameter('A cloud provider.', 'oura') }),
      query: z.object({
        state: textParameter('The `state` that was sent to the provider.', 'f3K9xw2Qm7').optional(),
        code: textParameter('The provider’s authorization code, valid once.', 'SplxlOBeZQQYbYS6WxSbIA').optional(),
        error: textParameter('The provider’s reason for returning no code.', 'access_denied').optional(),
      }),
    },
    responses: {
      200: html('The device is connected.'),
      302: { description: 'Redirects to `redirect_url`, or to the page that the user came from.' },
      400: html('The provider rejected the code, or a different provider responded.'),
      402: html('The account is suspended.'),
      403: html('The user denied access, granted too little, or returned in a different browser.'),
      404: html('The link does not exist, or its user was deleted.'),
      410: html(
        'The link has expired, has already been used or was revoked, or the API key or colleague that made it has ended.',
      ),
      425: html('The browser prefetched this page. It requests the page again when the user opens it.'),
      502: html('The provider could not be reached.'),
      503: html('This deployment has no working credentials for the provider.'),
    },
  }),
  publicPage,
);

const linkParams = z.object({ token: textParameter('The token of a connect link.', '9vQ2hT5sLk') });

export const showConnectLink = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/connect/links/{token}',
    operationId: 'showConnectLink',
    tags: [tag],
    summary: 'Pick a provider',
    description:
      'The page of a connect link. It shows what the user has connected and what can be connected, and lets the user disconnect devices.',
    request: {
      params: linkParams,
      query: z.object({
        disconnect: textParameter(
          'Shows a page that asks whether to disconnect this device.',
          'dev_01k9p3w4d6f8h0k2n4q6s8v0x2',
        ).optional(),
        notice: textParameter('The outcome of the previous step. Unknown values are ignored.', 'connected').optional(),
        provider: textParameter('The provider that the notice is about.', 'oura').optional(),
      }),
    },
    responses: {
      200: html('The page.'),
      402: html('The account is suspended.'),
      404: html('The link does not exist, or its user was deleted.'),
      410: html('The link has expired or was revoked, or the API key or colleague that made it has ended.'),
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
      'The form that the page’s buttons submit: `connect` with a provider, or `disconnect` with a device. With `connect`, the form also sends `time_zone`, the browser’s time zone, for a profile that has none. A value that is not an IANA name is ignored.',
    request: {
      params: linkParams,
      body: formBody('One choice.', { connect: 'oura', time_zone: 'Europe/Berlin' }),
    },
    responses: {
      303: { description: 'Redirects to the provider, or back to the page.' },
      402: html('The account is suspended.'),
      404: html('The link does not exist, or its user was deleted.'),
      410: html('The link has expired or was revoked, or the API key or colleague that made it has ended.'),
    },
  }),
  {
    ...publicPage,
    audits: false,
    changes: 'data',
    maxParameterLength: maxLinkLength,
    bodyLimits: { wireBytes: maxChoiceBytes },
    failures: ['invalid_body', 'not_found'],
  },
);
