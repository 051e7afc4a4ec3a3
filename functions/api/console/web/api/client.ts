// The clients of the API and of the console's own routes. They are the only way to the server.
import createClient from 'openapi-fetch';
import type { components as OwnComponents, paths as OwnPaths } from './generated/own.d.ts';
import type { components, paths as V1Paths } from './generated/v1.d.ts';
import { send } from './send.ts';

export type Schemas = components['schemas'];
export type OwnSchemas = OwnComponents['schemas'];

const options = { baseUrl: location.origin, fetch: send, credentials: 'same-origin' } as const;

export const v1 = createClient<V1Paths>(options);
export const ownApi = createClient<OwnPaths>(options);
