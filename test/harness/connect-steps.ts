// Steps of a user who connects a provider, for tests of the connect pages.
import { type ConnectionRow, connectionRows } from '../../shared/connections/connection-rows.ts';
import { CookieJar } from './browser.ts';
import type { ApiResponse } from './send-request.ts';
import type { System } from './system.ts';

/** The path of a URL of this system, as `call` takes it. */
export const pathIn = (url: string): string => url.slice(new URL(url).origin.length);

/** One browser per system, unless a test provides others. */
const jars = new WeakMap<System, CookieJar>();
export function cookieJarOf(system: System): CookieJar {
  const jar = jars.get(system) ?? new CookieJar();
  jars.set(system, jar);
  return jar;
}

export async function openPage(system: System, url: string, jar = cookieJarOf(system)): Promise<ApiResponse> {
  const response = await system.call('GET', pathIn(url), { headers: jar.headers() });
  jar.store(response.headers);
  return response;
}

export const redirectLocation = (response: ApiResponse): string => {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`expected a redirect, got ${response.status}: ${response.text}`);
  return location;
};

export async function readDeviceState(
  system: System,
  token: string,
  user: string,
  device: string,
): Promise<{ status: string; error: string | null } | undefined> {
  const { body } = await system.call('GET', `/v1/users/${user}/devices`, { token });
  const found = body.data.find(({ id }: { id: string }) => id === device);
  return found && { status: found.status, error: found.error };
}

export const listConnections = (system: System, user: string): Promise<ConnectionRow[]> =>
  connectionRows(system.host.deps.store).listByUser(user);

export async function listEventTypes(system: System, token: string): Promise<string[]> {
  await system.host.drain();
  const { body } = await system.call('GET', '/v1/events?limit=100', { token });
  return body.events.map(({ event_type }: { event_type: string }) => event_type);
}

export const headingOf = ({ text }: ApiResponse): string => /<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? '';
