// Commands that help an operator set up providers: which ones are configured, and the URLs to
// register with them.

import { type CloudProviderId, cloudProviderIds } from '../../shared/catalog/provider.ts';
import { getConfiguredProvider, ProviderMisconfigured } from '../../shared/connections/client/configured-provider.ts';
import { type ProviderQuota, readProviderQuotas } from '../../shared/connections/client/provider-quota.ts';
import { pushPath } from '../../shared/connections/client/push-keys.ts';
import { EngineUnavailable } from '../../shared/platform/ports.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import { formatTimestamp } from '../../shared/platform/time/time.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import type { ProviderRateLimit } from '../../shared/providers/kit/descriptor.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { type CliCommand, UsageError } from './command.ts';
export const providerCommands: Record<string, CliCommand> = {
  'providers list': {
    usage: '',
    summary:
      'list the cloud providers: whether this deployment has credentials for them, when each last answered, and how many requests may be sent at once now',
    readsProviderSettings: true,
    prepare: () => async (deps) => {
      const states = [];
      for (const id of cloudProviderIds) states.push({ id, ...(await readProviderState(deps, id)) });
      const { quotas, problem } = await readQuotasIfPossible(deps, states);
      const listed = states.map(({ id, state, message }) => {
        const { lastAnswerMs, requestsLeft = null } = quotas.get(id) ?? {};
        return {
          ...{ id, name: providerDescriptors[id].name, state, ...(message === undefined ? {} : { message }) },
          last_answer_at: lastAnswerMs === undefined ? null : formatTimestamp(lastAnswerMs),
          requests_left: requestsLeft,
        };
      });
      const lines = listed.map(({ id, state, message, ...quota }) =>
        [`${id.padEnd(14)} ${state}${message ? `: ${message}` : ''}`, ...describeQuota(quota)].join(', '),
      );
      return {
        json: { providers: listed, ...(problem ? { problem } : {}) },
        text: [...lines, ...(problem ? [problem] : [])].join('\n'),
      };
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
        const { state, message } = await readProviderState(deps, id);
        const summary = {
          ...{ id, state, ...(message === undefined ? {} : { message }) },
          redirect_url: `${origin}/connect/callback/${id}`,
          push_url: push ? origin + pushPath(deps, id, 'live') : null,
          scopes,
          setting: isDeployed ? settingNames.providersSecret : settingNames.provider(id),
          needs: ['client_id', 'client_secret', ...credentials.filter((each) => each.required).map(({ name }) => name)],
        };
        const members = `{${summary.needs.map((name) => `"${name}":"…"`).join(',')}}`;
        const text = [
          `${providerDescriptors[id].name}: ${state}${message ? `: ${message}` : ''}`,
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

function describeQuota(quota: { last_answer_at: string | null; requests_left: number | null }): string[] {
  const { last_answer_at: answeredAt, requests_left: left } = quota;
  return [
    ...(answeredAt ? [`last answer ${answeredAt}`] : []),
    ...(left === null ? [] : [`${left} requests can be sent now`]),
  ];
}

/** An operator may check the credentials before there is a table, or while it is unavailable. */
async function readQuotasIfPossible(
  deps: Deps,
  states: readonly ({ id: CloudProviderId } & ProviderState)[],
): Promise<{ quotas: ReadonlyMap<CloudProviderId, ProviderQuota>; problem?: string }> {
  const limited = states.flatMap(({ id, limits }) => (limits ? { provider: id, limits } : []));
  try {
    return { quotas: await readProviderQuotas(deps, limited) };
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    const problem = `The table could not be read, so the last answers and the numbers of requests are unknown: ${error.message}`;
    return { quotas: new Map(), problem };
  }
}

interface ProviderState {
  state: 'configured' | 'not configured' | 'misconfigured';
  message?: string;
  /** Of a configured provider. */
  limits?: readonly ProviderRateLimit[];
}

export async function readProviderState(deps: Deps, id: CloudProviderId): Promise<ProviderState> {
  try {
    const configured = await getConfiguredProvider(deps, id, 'live');
    return configured ? { state: 'configured', limits: configured.limits } : { state: 'not configured' };
  } catch (error) {
    if (!(error instanceof ProviderMisconfigured)) throw error;
    return { state: 'misconfigured', message: error.message };
  }
}
