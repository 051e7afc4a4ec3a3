// The states and errors of a device, as stored and as returned to callers.

/** Per user: more than anyone wears, and few enough that every read can load them all. */
export const maxDevices = 50;

export const deviceErrors = [
  'access_denied',
  'link_expired',
  'wrong_provider',
  'code_refused',
  'scopes_missing',
  'provider_unavailable',
  'not_configured',
  'consent_ended',
  'replaced',
] as const;
export type DeviceError = (typeof deviceErrors)[number];

export const syncStates = ['backfilling', 'current', 'waiting', 'failed'] as const;
