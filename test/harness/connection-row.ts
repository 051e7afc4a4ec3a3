// The row of an active connection, except for the overrides.
import type { ConnectionRow } from '../../shared/connections/connection-rows.ts';

export const connectionRow = (
  overrides: Pick<ConnectionRow, 'user' | 'device'> & Partial<ConnectionRow>,
): ConnectionRow => ({
  account: 'acc_1',
  env: 'live',
  provider: 'oura',
  origin: 'https://day.example',
  status: 'active',
  pendingConsent: null,
  providerAccount: 'ann',
  grant: 'sealed',
  grantExpiresMs: null,
  scopes: null,
  connectedMs: 0,
  historyDays: null,
  ...overrides,
});
