// The URLs of the Google Health API.
import { googleHealth } from './descriptor.ts';

const pointsUrl = (type: string): string => `${googleHealth.apiUrl}/users/me/dataTypes/${type}/dataPoints`;

export const operationUrl = (type: string, operation: 'reconcile' | 'rollUp' | 'dailyRollUp'): string =>
  `${pointsUrl(type)}:${operation}`;

export const settingsUrl = `${googleHealth.apiUrl}/users/me/settings`;

export const pointUrl = (type: string, id: string): string => `${pointsUrl(type)}/${encodeURIComponent(id)}`;
