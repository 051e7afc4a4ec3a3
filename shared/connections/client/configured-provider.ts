// The providers that a deployment can call, with their credentials, addresses and limits.
import * as z from 'zod';
import type { CloudProviderId } from '../../catalog/provider.ts';
import { type HttpClient, SettingsUnreadable } from '../../platform/ports.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import type { ProviderRateLimit } from '../../providers/kit/descriptor.ts';
import type { ProviderCredentials } from '../../providers/kit/request-flow.ts';
import { calledUrls } from '../../providers/origins.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';

export interface ConfiguredProvider {
  provider: CloudProviderId;
  env: Environment;
  credentials: ProviderCredentials;
  /** Maps a provider's real URL to the URL that this deployment calls. */
  resolveUrl(url: string): string;
  client: HttpClient;
  /** The provider's rate limits for this deployment. The simulated provider has none. */
  limits: readonly ProviderRateLimit[];
  /**
   * The maximum number of users per hour to disconnect because the provider reports that their
   * consent has ended. Beyond this number, such reports are not trusted.
   */
  disconnectsPerHour: number;
}

export const defaultDisconnectsPerHour = 100;

const LimitSettings = z.object({
  requests: z.int().positive(),
  seconds: z.int().positive(),
  per: z.enum(['deployment', 'person']),
});

/**
 * `origins` redirects requests for one of the provider's hosts to another origin:
 * `{"https://open.coros.com": "https://opentest.coros.com"}`. `limits` replaces the provider's
 * default rate limits. With `disconnects_per_hour` set to 0, no user is disconnected because of
 * what the provider reports.
 */
const ProviderSettingsSchema = z.looseObject({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  origins: z.record(z.url(), z.url()).optional(),
  limits: z.array(LimitSettings).min(1).optional(),
  disconnects_per_hour: z.int().min(0).default(defaultDisconnectsPerHour),
});

export class ProviderMisconfigured extends Error {
  /** The names of the settings that are missing or invalid. */
  readonly settings: readonly string[];
  constructor(message: string, settings: readonly string[]) {
    super(message);
    this.settings = settings;
  }
}

/**
 * Returns undefined when this deployment has no credentials for the provider. Sandbox devices
 * always use the simulated provider.
 */
export async function getConfiguredProvider(
  deps: Pick<Deps, 'providerSettings' | 'keyring' | 'egress'>,
  provider: CloudProviderId,
  env: Environment,
): Promise<ConfiguredProvider | undefined> {
  if (env === 'sandbox')
    return {
      provider,
      env,
      credentials: sandboxCredentials(deps, provider),
      resolveUrl: (url) => url,
      client: deps.egress.sandbox,
      limits: [],
      disconnectsPerHour: defaultDisconnectsPerHour,
    };
  const rawSettings = await readProviderSettings(deps, provider);
  if (rawSettings === undefined || rawSettings === null) return undefined;
  const settings = ProviderSettingsSchema.safeParse(rawSettings);
  if (!settings.success)
    throw new ProviderMisconfigured(
      `The settings for ${provider} are invalid: ${describeIssues(settings.error)}.`,
      listInvalidSettings(provider, settings.error),
    );
  const { client_id: clientId, client_secret: clientSecret, origins = {}, limits, ...others } = settings.data;
  const { disconnects_per_hour: disconnectsPerHour, ...rest } = others;
  const more = Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  const missing = providerDescriptors[provider].credentials.filter(({ name, required }) => required && !more[name]);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name);
    throw new ProviderMisconfigured(`The settings for ${provider} are missing ${names.join(', ')}.`, names);
  }
  const targets = Object.values(origins).map((url) => new URL(url).origin);
  return {
    provider,
    env,
    credentials: { clientId, clientSecret, more },
    resolveUrl: (url) => replaceOrigin(origins, url),
    client:
      targets.length === 0
        ? deps.egress.providers
        : deps.egress.forOrigins([...targets, ...calledUrls(providerDescriptors[provider])]),
    limits: limits ?? providerDescriptors[provider].rateLimits,
    disconnectsPerHour,
  };
}

const describeIssues = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ');

export const listRequiredSettings = (provider: CloudProviderId): string[] => [
  'client_id',
  'client_secret',
  ...providerDescriptors[provider].credentials.filter(({ required }) => required).map(({ name }) => name),
];

/** An issue without a path is about the settings as a whole. */
const listInvalidSettings = (provider: CloudProviderId, { issues }: z.ZodError): string[] => [
  ...new Set(
    issues.flatMap(({ path: [name] }) => (name === undefined ? listRequiredSettings(provider) : [`${String(name)}`])),
  ),
];

async function readProviderSettings({ providerSettings }: Pick<Deps, 'providerSettings'>, provider: CloudProviderId) {
  try {
    return await providerSettings.get(provider);
  } catch (error) {
    if (error instanceof SettingsUnreadable)
      throw new ProviderMisconfigured(error.message, listRequiredSettings(provider));
    throw error;
  }
}

function replaceOrigin(origins: Readonly<Record<string, string>>, url: string): string {
  const { origin } = new URL(url);
  const target = origins[origin];
  return target === undefined ? url : target.replace(/\/$/, '') + url.slice(origin.length);
}

/** The credentials that the simulated provider expects. It derives the same ones. */
export const sandboxCredentials = (
  { keyring }: Pick<Deps, 'keyring'>,
  provider: CloudProviderId,
): ProviderCredentials => ({
  clientId: `sandbox-${provider}`,
  clientSecret: keyring.hash('sandbox-client', provider),
  more: Object.fromEntries(
    providerDescriptors[provider].credentials.map(({ name }) => [
      name,
      keyring.hash('sandbox-client', `${provider} ${name}`),
    ]),
  ),
});
