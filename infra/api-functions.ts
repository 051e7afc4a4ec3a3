// The API half of the function manifest: every function that handles HTTP requests. `functions.ts`
// adds the workers.
import * as audit from '../functions/api/audit/routes.ts';
import * as catalogs from '../functions/api/catalogs/routes.ts';
import * as connect from '../functions/api/connect/routes.ts';
import * as consoleRoutes from '../functions/api/console/routes.ts';
import * as consoleSettings from '../functions/api/console-settings/routes.ts';
import * as consoleState from '../functions/api/console-state/routes.ts';
import * as consolidation from '../functions/api/consolidation/routes.ts';
import * as data from '../functions/api/data/routes.ts';
import * as devices from '../functions/api/devices/routes.ts';
import * as events from '../functions/api/events/routes.ts';
import * as explanations from '../functions/api/explanations/routes.ts';
import * as guides from '../functions/api/guides/routes.ts';
import * as join from '../functions/api/join/routes.ts';
import * as push from '../functions/api/push/routes.ts';
import * as reference from '../functions/api/reference/routes.ts';
import * as sandboxProvider from '../functions/api/sandbox-provider/routes.ts';
import * as scores from '../functions/api/scores/routes.ts';
import * as sdk from '../functions/api/sdk/routes.ts';
import * as signIn from '../functions/api/sign-in/routes.ts';
import * as team from '../functions/api/team/routes.ts';
import * as tokens from '../functions/api/tokens/routes.ts';
import * as users from '../functions/api/users/routes.ts';
import * as webhooks from '../functions/api/webhooks/routes.ts';
import { getBodyLimits } from '../shared/http/body.ts';
import type { Endpoint } from '../shared/http/endpoint.ts';
import type { FunctionSpec, TableAction, Trigger } from './function-spec.ts';

interface HttpOptions<Name extends string> {
  fallback?: boolean;
  maxPerSecond?: number;
  /** Endpoints with a limit of their own. */
  maxPerSecondOf?: Partial<Record<Name, number>>;
}

const httpTrigger = <Name extends string>(
  endpoints: Record<Name, Endpoint>,
  { maxPerSecondOf = {}, ...options }: HttpOptions<NoInfer<Name>> = {},
): Trigger => {
  const ownLimits: Partial<Record<string, number>> = maxPerSecondOf;
  return {
    kind: 'http',
    routes: Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => {
      const { method, path } = endpoint.route;
      const limits = getBodyLimits(endpoint);
      const maxPerSecond = ownLimits[name];
      return {
        ...{ method, path },
        ...(limits ? { maxBodyBytes: limits.wireBytes } : {}),
        ...(maxPerSecond === undefined ? {} : { maxPerSecond }),
      };
    }),
    ...options,
  };
};

/**
 * Authentication and rate limiting take one conditional write on the item of the key, the phone's
 * session or the user. User tokens also look up their environment's key.
 */
const admissionActions = ['GetItem', 'UpdateItem'] as const satisfies TableAction[];

export const apiFunctions = {
  catalogs: {
    entry: 'functions/api/catalogs/app.ts',
    trigger: httpTrigger(catalogs),
    table: [...admissionActions, 'BatchGetItem'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'callers cannot read the catalogs; nothing else is affected',
  },
  users: {
    entry: 'functions/api/users/app.ts',
    trigger: httpTrigger(users),
    table: [...admissionActions, 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    indexes: ['by-list'],
    sends: ['user', 'seed'],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'users cannot be created, read, changed or deleted; their data keeps arriving',
  },
  tokens: {
    entry: 'functions/api/tokens/app.ts',
    trigger: httpTrigger(tokens),
    table: [...admissionActions, 'Query', 'PutItem', 'ConditionCheckItem'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'apps get no new tokens; tokens already issued work until they expire',
  },
  devices: {
    entry: 'functions/api/devices/app.ts',
    trigger: httpTrigger(devices),
    table: [...admissionActions, 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['user', 'connection'],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'devices cannot be listed; they keep syncing',
  },
  connect: {
    entry: 'functions/api/connect/app.ts',
    trigger: httpTrigger(connect),
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['user', 'seed', 'connection'],
    publishes: false,
    secret: true,
    calls: ['providers'],
    providerSecrets: ['credentials', 'new_tokens'],
    memoryMb: 512,
    timeoutSeconds: 29,
    whenItFails: 'nobody can connect a wearable, or disconnect one on a page; connected devices keep syncing',
  },
  sdk: {
    entry: 'functions/api/sdk/app.ts',
    // A million users sync 1,500 times a second in the busiest hour. The limit leaves room for the
    // rest of the API when one app loops on all its phones.
    trigger: httpTrigger(sdk, { maxPerSecondOf: { uploadSdkData: 3_000 } }),
    table: [...admissionActions, 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['user'],
    publishes: false,
    secret: true,
    memoryMb: 1024,
    timeoutSeconds: 30,
    whenItFails: 'phones can neither sign in nor upload; they keep their data and send it later',
  },
  data: {
    entry: 'functions/api/data/app.ts',
    trigger: httpTrigger(data),
    table: [...admissionActions, 'BatchGetItem', 'Query'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 1024,
    timeoutSeconds: 10,
    whenItFails: 'nobody can read health data; it keeps arriving',
  },
  explanations: {
    entry: 'functions/api/explanations/app.ts',
    trigger: httpTrigger(explanations),
    table: [...admissionActions, 'BatchGetItem', 'Query'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 1024,
    timeoutSeconds: 10,
    whenItFails: 'nobody can read why a value is what it is; the values themselves can be read',
  },
  events: {
    entry: 'functions/api/events/app.ts',
    trigger: httpTrigger(events),
    table: [...admissionActions, 'Query'],
    sends: [],
    publishes: false,
    secret: true,
    readsFeed: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'the events feed cannot be read; events wait in it, and webhooks are still delivered',
  },
  audit: {
    entry: 'functions/api/audit/app.ts',
    trigger: httpTrigger(audit),
    table: [...admissionActions, 'Query'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'the audit trail cannot be read; acts are still recorded',
  },
  scores: {
    entry: 'functions/api/scores/app.ts',
    trigger: httpTrigger(scores),
    table: [...admissionActions, 'Query'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'nobody can read scores; they keep being computed',
  },
  team: {
    entry: 'functions/api/team/app.ts',
    trigger: httpTrigger(team),
    table: [...admissionActions, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['mail'],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails:
      'nobody can be invited, and the roster cannot be read or changed; people already invited can still join',
  },
  join: {
    entry: 'functions/api/join/app.ts',
    trigger: httpTrigger(join),
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['user'],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'nobody can accept an invitation; pending invitations stay pending',
  },
  webhooks: {
    entry: 'functions/api/webhooks/app.ts',
    trigger: httpTrigger(webhooks),
    table: [...admissionActions, 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['deliver'],
    publishes: false,
    secret: true,
    calls: ['webhooks'],
    memoryMb: 512,
    timeoutSeconds: 25,
    whenItFails: 'webhooks cannot be registered, changed or inspected; deliveries continue',
  },
  'sign-in': {
    entry: 'functions/api/sign-in/app.ts',
    // The first two write for callers without any credential; the third reads for anyone with a link.
    trigger: httpTrigger(signIn, {
      maxPerSecondOf: { requestSignInLink: 50, getPasskeySignInOptions: 200, describeSignInLink: 200 },
    }),
    table: [...admissionActions, 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
    sends: ['mail'],
    publishes: false,
    secret: true,
    // Verifying a passkey waits for the processor.
    memoryMb: 1024,
    timeoutSeconds: 10,
    whenItFails: 'nobody can sign in to the console; colleagues who are signed in can still use it',
  },
  'console-settings': {
    entry: 'functions/api/console-settings/app.ts',
    trigger: httpTrigger(consoleSettings),
    table: [...admissionActions, 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    indexes: ['by-list'],
    sends: ['mail'],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'nobody can change colleagues or API keys in the console; all of them keep working',
  },
  'console-state': {
    entry: 'functions/api/console-state/app.ts',
    trigger: httpTrigger(consoleState),
    table: [...admissionActions, 'BatchGetItem', 'Query'],
    indexes: ['by-list'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'the console finds nobody and has no overview; its other pages keep working',
  },
  push: {
    entry: 'functions/api/push/app.ts',
    // The wearables of a million users send a few hundred pushes per second. The limit keeps a
    // flood from taking capacity from the rest of the API, and most providers retry.
    trigger: httpTrigger(push, { maxPerSecond: 2_000 }),
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    sends: ['user', 'connection'],
    publishes: false,
    secret: true,
    providerSecrets: ['credentials'],
    memoryMb: 1024,
    timeoutSeconds: 29,
    whenItFails: 'providers cannot announce new data; most retry, and devices that go quiet are polled',
  },
  'sandbox-provider': {
    entry: 'functions/api/sandbox-provider/app.ts',
    trigger: httpTrigger(sandboxProvider),
    table: ['GetItem', 'PutItem'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'sandbox users cannot link more wearables; linked ones keep working, and live users are not affected',
  },
  reference: {
    entry: 'functions/api/reference/app.ts',
    trigger: httpTrigger(reference, { fallback: true }),
    table: [],
    sends: [],
    publishes: false,
    secret: false,
    writesSchemas: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'the reference and the OpenAPI documents are unavailable, and unknown paths get no proper 404',
  },
  guides: {
    entry: 'functions/api/guides/app.ts',
    trigger: httpTrigger(guides),
    table: [],
    sends: [],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'the guides and the demo are unavailable; the reference and the API keep working',
  },
  console: {
    entry: 'functions/api/console/app.ts',
    trigger: httpTrigger(consoleRoutes),
    table: [],
    sends: [],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'nobody can open the console; the API and the pages of people keep working',
  },
  consolidation: {
    entry: 'functions/api/consolidation/app.ts',
    trigger: httpTrigger(consolidation),
    table: [...admissionActions, 'BatchGetItem', 'Query', 'PutItem', 'ConditionCheckItem'],
    sends: ['user'],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'consolidation settings cannot be read, previewed or changed; the current settings stay in effect',
  },
} as const satisfies Record<string, FunctionSpec>;
