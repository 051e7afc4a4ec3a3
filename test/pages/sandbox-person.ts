// A sandbox user of a system, and the links that an app would hand to the person.
import { pathIn } from '../harness/connecting.ts';
import type { System } from '../harness/system.ts';

export interface SandboxPerson {
  /** The page that leads to a provider's consent. */
  consentLink(provider: string, redirectUrl?: string): Promise<string>;
  pickerLink(body?: object): Promise<string>;
  /** By provider, of those that are active. */
  active(): Promise<string[]>;
  timezone(): Promise<string | null>;
}

export async function sandboxPerson(system: System, timezone: string | null = 'Europe/Berlin'): Promise<SandboxPerson> {
  const { sandbox_key: token } = await system.account();
  const user = await system.user(token, { timezone });
  await system.host.drain();
  const ask = async (path: string, body: object) =>
    (await system.call('POST', `/v1/users/${user}/${path}`, { token, body })).body;
  const here = (url: string): string => system.host.baseUrl + pathIn(url);
  return {
    async consentLink(provider, redirect_url) {
      const body = redirect_url === undefined ? { provider } : { provider, redirect_url };
      return here((await ask('devices', body)).auth_url);
    },
    pickerLink: async (body = {}) => here((await ask('connect-links', body)).url),
    timezone: async () => (await system.call('GET', `/v1/users/${user}`, { token })).body.timezone,
    async active() {
      const { body } = await system.call('GET', `/v1/users/${user}/devices`, { token });
      return body.data.flatMap(({ provider, status }: { provider: string; status: string }) =>
        status === 'active' ? [provider] : [],
      );
    },
  };
}
