// How a device can stand, in the words that are stored of it and shown.

/** Of one user: more than anybody wears, and few enough that every read may know them all. */
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
