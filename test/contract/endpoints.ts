// The endpoints of the contract, each with a well-formed request.

export interface ContractEndpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Present if the call has a body. */
  body?: object;
  query?: string;
}

const dates = '?start_date=2026-03-01&end_date=2026-03-02';

export const endpoints: readonly ContractEndpoint[] = [
  { method: 'GET', path: '/v1/providers' },
  { method: 'GET', path: '/v1/consolidation/catalog' },
  { method: 'POST', path: '/v1/users', body: {} },
  { method: 'GET', path: '/v1/users' },
  { method: 'GET', path: '/v1/users/{id}' },
  { method: 'PATCH', path: '/v1/users/{id}', body: {} },
  { method: 'DELETE', path: '/v1/users/{id}' },
  { method: 'POST', path: '/v1/team/roster/invitations', body: { email: 'somebody@example.com' } },
  { method: 'GET', path: '/v1/team/roster/invitations/{id}' },
  { method: 'DELETE', path: '/v1/team/roster/invitations/{id}' },
  { method: 'PATCH', path: '/v1/team/roster/{id}', body: { status: 'archived' } },
  { method: 'DELETE', path: '/v1/team/roster/{id}' },
  { method: 'POST', path: '/v1/users/{id}/sdk-sessions', body: {} },
  { method: 'GET', path: '/v1/users/{id}/sdk-sessions' },
  { method: 'DELETE', path: '/v1/users/{id}/sdk-sessions/{session_id}' },
  { method: 'POST', path: '/v1/sdk/sessions/exchange', body: { client_token: 'x' } },
  { method: 'POST', path: '/v1/sdk/sessions/refresh', body: { refresh_token: 'x' } },
  { method: 'DELETE', path: '/v1/sdk/sessions/current' },
  { method: 'GET', path: '/v1/users/{id}/devices' },
  { method: 'POST', path: '/v1/users/{id}/devices', body: { provider: 'garmin' } },
  { method: 'DELETE', path: '/v1/users/{id}/devices/{device_id}' },
  { method: 'GET', path: '/v1/users/{id}/consolidation' },
  { method: 'PATCH', path: '/v1/users/{id}/consolidation', body: { metrics: { steps: { method: 'max' } } } },
  { method: 'DELETE', path: '/v1/users/{id}/consolidation' },
  { method: 'GET', path: '/v1/users/{id}/daily' },
  { method: 'GET', path: '/v1/users/{id}/scores' },
  { method: 'GET', path: '/v1/users/{id}/scores/history', query: dates },
  { method: 'GET', path: '/v1/users/{id}/timeseries', query: `${dates}&metrics=steps` },
  { method: 'GET', path: '/v1/users/{id}/sleep' },
  { method: 'GET', path: '/v1/users/{id}/workouts' },
  { method: 'GET', path: '/v1/users/{id}/workouts/{workout_id}' },
  { method: 'POST', path: '/v1/auth/user-token', body: { user_id: 'usr_x' } },
  { method: 'POST', path: '/v1/auth/user-token/refresh', body: { user_id: 'usr_x' } },
  { method: 'POST', path: '/v1/auth/mobile-token', body: { user_id: 'usr_x' } },
  { method: 'GET', path: '/v1/webhooks' },
  { method: 'POST', path: '/v1/webhooks', body: { url: 'https://example.com/hook', events: ['*'] } },
  { method: 'PATCH', path: '/v1/webhooks/{webhook_id}', body: { status: 'paused' } },
  { method: 'DELETE', path: '/v1/webhooks/{webhook_id}' },
  { method: 'GET', path: '/v1/events' },
];

/**
 * Returns the path of an endpoint for a user. Other path parameters name resources that do not
 * exist.
 */
export const pathFor = ({ path, query = '' }: ContractEndpoint, user: string): string =>
  path.replace('/v1/users/{id}', `/v1/users/${user}`).replaceAll(/\{\w+\}/g, 'missing') + query;
