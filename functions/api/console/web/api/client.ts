// The clients of the API and of the console's own routes. They are the only way to the server.
import createClient from 'openapi-fetch';
import type { components as ConsoleComponents, paths as ConsolePaths } from './generated/console.d.ts';
import type { components, paths as V1Paths } from './generated/v1.d.ts';
import { send } from './send.ts';

export type Schemas = components['schemas'];
export type ConsoleSchemas = ConsoleComponents['schemas'];

const options = { baseUrl: location.origin, fetch: send, credentials: 'same-origin' } as const;

export const v1 = createClient<V1Paths>(options);
export const consoleClient = createClient<ConsolePaths>(options);
