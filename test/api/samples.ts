// One good request for every operation of the contract: the suite over all routes starts from these.
import { randomUUID } from 'node:crypto';
import { credentialsOf, installation, openSession, uploadOf } from '../harness/sdk.ts';
import type { System } from '../harness/system.ts';

export interface Sample {
  /** Path parameters, the caller's own user included. */
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** The credential, where it is not the API key. */
  token?: string;
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
  openSdkSession: ({ userId }) => ({
    params: { id: userId },
    headers: { 'idempotency-key': randomUUID() },
    body: installation(),
    status: 201,
  }),
  listSdkSessions: ({ userId }) => ({ params: { id: userId }, status: 200 }),
  revokeSdkSession: async ({ system, token, userId }) => ({
    params: { id: userId, session_id: (await openSession(system, token, userId)).session_id },
    status: 204,
  }),
  exchangeSdkToken: async ({ system, token, userId }) => ({
    body: { client_token: (await openSession(system, token, userId)).client_token },
    status: 200,
  }),
  refreshSdkCredentials: async ({ system, token, userId }) => ({
    body: { refresh_token: (await credentialsOf(system, token, userId)).refresh_token },
    status: 200,
  }),
  revokeOwnSdkSession: async ({ system, token, userId }) => ({
    token: (await credentialsOf(system, token, userId)).access_token,
    status: 204,
  }),
  uploadSdkData: async ({ system, token, userId }) => ({
    token: (await credentialsOf(system, token, userId)).access_token,
    body: uploadOf({
      samples: [{ metric: 'heart_rate', start: '2026-03-14T06:58:00Z', value: 62, unit: 'bpm' }],
      daily: [{ date: '2026-03-14', metric: 'steps', value: 9412, unit: 'count' }],
    }),
    status: 202,
  }),
  getOpenApi: () => ({ status: 200 }),
  getDocs: () => ({ status: 200 }),
  getHealth: () => ({ status: 200 }),
};

export const pathOf = (template: string, params: Record<string, string> = {}): string =>
  template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => params[name] ?? `missing-${name}`);
