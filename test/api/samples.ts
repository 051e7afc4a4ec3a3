// One good request for every operation of the contract: the suite over all routes starts from these.
import type { System } from '../harness/system.ts';

export interface Sample {
  /** Path parameters, the caller's own user included. */
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  status: number;
}
export interface World {
  system: System;
  token: string;
  userId: string;
}

export const samples: Record<string, (world: World) => Promise<Sample> | Sample> = {
  createUser: () => ({ body: { timezone: 'Europe/Berlin' }, status: 201 }),
  listUsers: () => ({ query: '?limit=2', status: 200 }),
  getUser: ({ userId }) => ({ params: { id: userId }, status: 200 }),
  updateUser: ({ userId }) => ({ params: { id: userId }, body: { timezone: 'Asia/Tokyo' }, status: 200 }),
  deleteUser: async ({ system, token }) => ({ params: { id: await system.user(token) }, status: 202 }),
  listProviders: () => ({ status: 200 }),
  getConsolidationCatalog: () => ({ status: 200 }),
  listMetrics: () => ({ status: 200 }),
  issueUserToken: ({ userId }) => ({ body: { user_id: userId }, status: 200 }),
  refreshUserToken: ({ userId }) => ({ body: { user_id: userId }, status: 200 }),
  issueMobileToken: ({ userId }) => ({ body: { user_id: userId, scopes: ['sleep'] }, status: 200 }),
  getPublicKeys: () => ({ status: 200 }),
  listDevices: ({ userId }) => ({ params: { user_id: userId }, status: 200 }),
  getOpenApi: () => ({ status: 200 }),
  getDocs: () => ({ status: 200 }),
  getHealth: () => ({ status: 200 }),
};

export const pathOf = (template: string, params: Record<string, string> = {}): string =>
  template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => params[name] ?? `missing-${name}`);
