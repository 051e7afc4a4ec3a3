// A user with a device in every possible state, as the pages receive it.
import type { LinkedUser } from '../../shared/connections/connect/connect-link.ts';
import type { DeviceRow } from '../../shared/users/device-rows.ts';
import { noPendingScores } from '../../shared/users/pending-scores.ts';

export const atMs = Date.parse('2026-03-14T12:00:00Z');

export const linkedDevice = (id: string, more: Partial<DeviceRow> = {}): DeviceRow => ({
  id,
  ordinal: 0,
  provider: 'oura',
  connection: 'cloud',
  deviceType: 'ring',
  model: 'Oura',
  name: null,
  status: 'active',
  connectedMs: Date.parse('2026-03-01T22:30:00Z'),
  lastSyncMs: atMs - 5 * 60_000,
  lastBatch: null,
  receivedMs: 0,
  error: null,
  sync: null,
  stages: false,
  ...more,
});

const history = { from: '2025-09-16', to: '2026-03-14' };

export const devicesInEveryState: readonly DeviceRow[] = [
  linkedDevice('dev_1'),
  linkedDevice('dev_2', { provider: 'whoop', sync: { state: 'backfilling', ...history, doneDays: 60 } }),
  linkedDevice('dev_3', { provider: 'polar', sync: { state: 'waiting', ...history, doneDays: 60 } }),
  linkedDevice('dev_4', { provider: 'suunto', sync: { state: 'failed', ...history, doneDays: 60 }, lastSyncMs: null }),
  linkedDevice('dev_5', { provider: 'garmin', status: 'disconnected', error: 'consent_ended' }),
  linkedDevice('dev_6', { status: 'replaced', error: 'replaced' }),
  linkedDevice('dev_7', {
    provider: 'apple_health',
    connection: 'sdk',
    deviceType: 'phone',
    model: 'Watch7,1',
    name: 'My watch',
  }),
  linkedDevice('dev_8', { provider: 'strava', status: 'failed', error: 'provider_unavailable', connectedMs: null }),
  linkedDevice('dev_9', { provider: 'withings', status: 'failed', error: 'access_denied', connectedMs: null }),
  linkedDevice('dev_91', { provider: 'coros', status: 'pending', connectedMs: null }),
];

export const linkedUser = (more: Partial<LinkedUser> = {}): LinkedUser => ({
  user: {
    id: 'usr_1',
    account: 'acc_1',
    env: 'live',
    reference: null,
    timezone: 'Europe/Berlin',
    dayRule: 'profile',
    timezoneSource: 'caller',
    profile: {},
    status: 'active',
    createdMs: 0,
    lastSyncMs: null,
    lastScoreMs: null,
    scoreGeneration: 1,
    mergeRule: 2,
    revision: 1,
    fence: 0,
    sessionsOpened: 0,
    lastUploads: {},
    scores: noPendingScores,
    sharingEpoch: 0,
    unshared: null,
  },
  devices: [...devicesInEveryState],
  offered: ['oura', 'garmin', 'strava', 'withings', 'coros'],
  redirectUrl: null,
  ...{ link: 'lnk_1', keyHash: null, maker: null, makerId: null },
  ...more,
});
