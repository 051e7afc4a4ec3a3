// Commands that help an operator set up providers: which ones are configured, and the URLs to
// register with them.

import { type CloudProviderId, cloudProviderIds } from '../../shared/catalog/provider.ts';
import { getConfiguredProvider, ProviderMisconfigured } from '../../shared/connections/client/configured-provider.ts';
import { pushPath } from '../../shared/connections/client/push-keys.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { type CliCommand, UsageError } from './command.ts';
export const providerCommands: Record<string, CliCommand> = {
  'providers list': {
    usage: '',
    summary: 'list the cloud providers and whether this deployment has credentials for them',
    readsProviderSettings: true,
    prepare: () => async (deps) => {
      const listed = [];
      for (const id of cloudProviderIds)
        listed.push({ id, name: providerDescriptors[id].name, ...(await readProviderState(deps, id)) });
      const lines = listed.map(({ id, state, message }) => `${id.padEnd(14)} ${state}${message ? `: ${message}` : ''}`);
      return { json: { providers: listed }, text: lines.join('\n') };
    },
  },
  'providers show': {
    usage: 'PROVIDER [--base URL]',
    summary: 'show the URLs to register with a provider; a push URL can contain a secret',
    readsProviderSettings: true,
    prepare({ positional, base }) {
      const id = cloudProviderIds.find((each) => each === positional);
      if (!id) throw new UsageError(`The provider must be one of: ${cloudProviderIds.join(', ')}.`);
      return async (deps) => {
        const origin = (base ?? deps.deployment.baseUrl ?? 'https://YOUR-API').replace(/\/$/, '');
        const isDeployed = deps.deployment.kind === 'aws';
        const { push, scopes, credentials } = providerDescriptors[id];
        const summary = {
          id,
          ...(await readProviderState(deps, id)),
          redirect_url: `${origin}/connect/callback/${id}`,
          push_url: push ? origin + pushPath(deps, id, 'live') : null,
          scopes,
          setting: isDeployed ? settingNames.providersSecret : settingNames.provider(id),
          needs: ['client_id', 'client_secret', ...credentials.filter((each) => each.required).map(({ name }) => name)],
        };
        const members = `{${summary.needs.map((name) => `"${name}":"…"`).join(',')}}`;
        const text = [
          `${providerDescriptors[id].name}: ${summary.state}${summary.message ? `: ${summary.message}` : ''}`,
          `redirect URL  ${summary.redirect_url}`,
          `push URL      ${summary.push_url ?? 'none: Daybook polls this provider'}`,
          `scopes        ${scopes.join(' ') || "chosen in the provider's portal"}`,
          ...(isDeployed
            ? [
                `settings      "${id}":${members}`,
                `              as a member of the JSON object in the secret ${summary.setting}`,
                '              (put-secret-value replaces the whole object: include every provider)',
              ]
            : [`settings      ${summary.setting}='${members}'`]),
          `How to set it up: ${origin}/docs/providers/${id}`,
        ].join('\n');
        return { json: summary, text };
      };
    },
  },
};

export async function readProviderState(
  deps: Deps,
  id: CloudProviderId,
): Promise<{ state: 'configured' | 'not configured' | 'misconfigured'; message?: string }> {
  try {
    return { state: (await getConfiguredProvider(deps, id, 'live')) ? 'configured' : 'not configured' };
  } catch (error) {
    if (!(error instanceof ProviderMisconfigured)) throw error;
    return { state: 'misconfigured', message: error.message };
  }
}
