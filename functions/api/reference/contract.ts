// Every route in one list for each form of the contract: the OpenAPI documents and the tests over
// every route read them.
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import * as catalogs from '../catalogs/routes.ts';
import * as connect from '../connect/routes.ts';
import * as consolidation from '../consolidation/routes.ts';
import * as form1Data from '../data/form-1-routes.ts';
import * as data from '../data/routes.ts';
import * as form1Devices from '../devices/form-1-routes.ts';
import * as devices from '../devices/routes.ts';
import * as events from '../events/routes.ts';
import * as join from '../join/routes.ts';
import * as push from '../push/routes.ts';
import * as sandboxVendor from '../sandbox-provider/routes.ts';
import * as form1Scores from '../scores/form-1-routes.ts';
import * as scores from '../scores/routes.ts';
import * as sdk from '../sdk/routes.ts';
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
  scores,
  sdk,
  consolidation,
  team,
  join,
  webhooks,
  events,
  push,
  sandboxVendor,
  reference,
].flatMap((group) => Object.values<Endpoint>(group));

const form1Endpoints: readonly Endpoint[] = [form1Users, form1Devices, form1Data, form1Scores].flatMap((group) =>
  Object.values<Endpoint>(group),
);

/** What accounts on Form 1 are served: the same, but for the calls that have two forms. */
export const form1Contract: readonly Endpoint[] = contract.map(
  (endpoint) => form1Endpoints.find(({ form2Route: form1Of }) => form1Of === endpoint.route) ?? endpoint,
);

export const tags = [
  { name: 'Users', description: 'The people whose data is kept.' },
  { name: 'Catalogs', description: 'What can be connected, measured and consolidated.' },
  { name: 'Tokens', description: "Short-lived tokens for your users' apps." },
  { name: 'Devices', description: 'The wearables and phones a user has linked.' },
  { name: 'Connecting', description: 'The pages where a person connects a wearable; no program calls them.' },
  { name: 'Data', description: 'What was measured: daily metrics, sleep, workouts and samples.' },
  { name: 'Scores', description: 'Sleep, recovery, strain, nutrition and stress, made from the data as it arrives.' },
  { name: 'Consolidation', description: "How several devices' values become one." },
  { name: 'Mobile SDK', description: 'Sessions of your app on phones, and the health data they upload.' },
  { name: 'Team', description: 'The people of your team: inviting them, and the list of those who joined.' },
  { name: 'Joining', description: 'The pages where a person joins a team; no program calls them.' },
  { name: 'Webhooks', description: 'Your endpoints that are told of events, and what they were told.' },
  { name: 'Events', description: 'What happened in the environment, in order and without gaps.' },
  { name: 'Provider pushes', description: 'What wearable makers send by themselves; you call none of it.' },
  { name: 'Service', description: 'The service itself: its description and its health.' },
];

/** Form 1 has one score more. */
export const form1Tags = tags.map((tag) =>
  tag.name === 'Scores'
    ? { ...tag, description: tag.description.replace('nutrition and stress', 'nutrition, stress and energy reserve') }
    : tag,
);
