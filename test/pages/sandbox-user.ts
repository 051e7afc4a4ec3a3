// Creates a sandbox user, and the links that an app would give them.
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { pathIn } from '../harness/connect-steps.ts';
import type { System } from '../harness/system.ts';

export interface SandboxUser {
  /** Returns the link to a provider's consent page. */
  createConsentLink(provider: string, redirectUrl?: string): Promise<string>;
  createPickerLink(body?: object): Promise<string>;
  /** Lists the providers of the active devices. */
  listActiveProviders(): Promise<string[]>;
  readTimezone(): Promise<string | null>;
}

export async function createSandboxUser(
  system: System,
  timezone: string | null = 'Europe/Berlin',
  account?: Pick<NewAccount, 'sandbox_key'>,
): Promise<SandboxUser> {
  const { sandbox_key: token } = account ?? (await system.account());
  const user = await system.user(token, { timezone });
  await system.host.drain();
  const post = async (path: string, body: object) =>
    (await system.call('POST', `/v1/users/${user}/${path}`, { token, body })).body;
  const toLocalUrl = (url: string): string => system.host.baseUrl + pathIn(url);
  return {
    async createConsentLink(provider, redirect_url) {
      const body = redirect_url === undefined ? { provider } : { provider, redirect_url };
      return toLocalUrl((await post('devices', body)).auth_url);
    },
    createPickerLink: async (body = {}) => toLocalUrl((await post('connect-links', body)).url),
    readTimezone: async () => (await system.call('GET', `/v1/users/${user}`, { token })).body.timezone,
    async listActiveProviders() {
      const { body } = await system.call('GET', `/v1/users/${user}/devices`, { token });
      return body.data.flatMap(({ provider, status }: { provider: string; status: string }) =>
        status === 'active' ? [provider] : [],
      );
    },
  };
}
