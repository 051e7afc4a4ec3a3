// All routes of each form of the contract. The OpenAPI documents and the tests of every
// route read these lists.
import { WebhookEvent } from '../../../shared/events/feed-event.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { DocumentedWebhook } from '../../../shared/http/openapi.ts';
import * as audit from '../audit/routes.ts';
import * as catalogs from '../catalogs/routes.ts';
import * as connect from '../connect/routes.ts';
import * as consoleRoutes from '../console/routes.ts';
import * as consoleSettings from '../console-settings/routes.ts';
import * as consoleState from '../console-state/routes.ts';
import * as consolidation from '../consolidation/routes.ts';
import * as form1Data from '../data/form-1-routes.ts';
import * as data from '../data/routes.ts';
import * as form1Devices from '../devices/form-1-routes.ts';
import * as devices from '../devices/routes.ts';
import * as events from '../events/routes.ts';
import * as explanations from '../explanations/routes.ts';
import * as guides from '../guides/routes.ts';
import * as join from '../join/routes.ts';
import * as push from '../push/routes.ts';
import * as sandboxProvider from '../sandbox-provider/routes.ts';
import * as form1Scores from '../scores/form-1-routes.ts';
import * as scores from '../scores/routes.ts';
import * as sdk from '../sdk/routes.ts';
import * as signIn from '../sign-in/routes.ts';
import * as team from '../team/routes.ts';
import * as tokens from '../tokens/routes.ts';
import * as form1Users from '../users/form-1-routes.ts';
import * as users from '../users/routes.ts';
import * as webhooks from '../webhooks/routes.ts';
import * as reference from './routes.ts';

export const contract: readonly Endpoint[] = [
  users,
  catalogs,
  tokens,
  devices,
  connect,
  data,
  explanations,
  scores,
  sdk,
  consolidation,
  team,
  join,
  webhooks,
  events,
  audit,
  push,
  sandboxProvider,
  consoleRoutes,
  reference,
  guides,
].flatMap((group) => Object.values<Endpoint>(group));

const form1Endpoints: readonly Endpoint[] = [form1Users, form1Devices, form1Data, form1Scores].flatMap((group) =>
  Object.values<Endpoint>(group),
);

/** The routes of accounts on Form 1: the same, except for the operations that have two forms. */
export const form1Contract: readonly Endpoint[] = contract.map(
  (endpoint) => form1Endpoints.find(({ form2Route }) => form2Route === endpoint.route) ?? endpoint,
);

/** The routes of the console's own pages. */
export const consoleContract: readonly Endpoint[] = [signIn, consoleSettings, consoleState].flatMap((group) =>
  Object.values<Endpoint>(group),
);

export const consoleTags = [
  { name: 'Signing in', description: 'Links, passkeys and sessions of the colleagues who use the console.' },
  { name: 'Passkeys', description: 'Passkeys, with which a colleague signs in without a link.' },
  { name: 'Colleagues', description: 'Who uses the console of the account, and with which role.' },
  { name: 'API keys', description: 'The keys of the account’s backends.' },
  { name: 'State', description: 'The search of people, and the state of an environment.' },
];

/** What the service sends to a registered endpoint. */
export const sentWebhooks: Readonly<Record<string, DocumentedWebhook>> = {
  event: {
    operationId: 'receiveEvent',
    tags: ['Webhooks'],
    summary: 'Receive an event',
    description:
      'Daybook POSTs each event that an endpoint subscribes to, signed according to Standard Webhooks. `/docs/webhooks` has the headers, the retry schedule and receivers.',
    body: WebhookEvent,
    response: 'The event was received. Respond within 15 seconds. Any other status is retried.',
  },
};

export const tags = [
  { name: 'Users', description: 'The people whose data Daybook stores.' },
  { name: 'Catalogs', description: 'What can be connected, measured and consolidated.' },
  { name: 'Tokens', description: "Short-lived tokens for your users' apps." },
  { name: 'Devices', description: 'The wearables and phones a user has linked.' },
  {
    name: 'Connecting',
    description: 'The pages where a user connects a wearable. They are for browsers, not for programs.',
  },
  { name: 'Data', description: 'Measured data: daily metrics, sleep, workouts and samples.' },
  { name: 'Scores', description: 'Sleep, recovery, strain, nutrition and stress, computed as data arrives.' },
  { name: 'Consolidation', description: 'How values from several devices become one.' },
  { name: 'Mobile SDK', description: 'Sessions of your app on phones, and the health data they upload.' },
  { name: 'Team', description: 'The people on your team: invitations, and the roster of those who joined.' },
  { name: 'Joining', description: 'The pages where someone joins a team. They are for browsers, not for programs.' },
  { name: 'Webhooks', description: 'Endpoints that receive your events, and the log of their deliveries.' },
  { name: 'Events', description: 'Everything that happened in the environment, in order and without gaps.' },
  { name: 'Audit', description: 'Who did what in the account and in the environment, for 400 days.' },
  { name: 'Provider pushes', description: 'Pushes that providers send to Daybook. You never call these operations.' },
  { name: 'Service', description: 'The service itself: its API description and its health.' },
];

/** Form 1 has one more score. */
export const form1Tags = tags.map((tag) =>
  tag.name === 'Scores'
    ? { ...tag, description: tag.description.replace('nutrition and stress', 'nutrition, stress and energy reserve') }
    : tag,
);
