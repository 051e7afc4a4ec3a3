// Which vendors a deployment can speak to, with what it was given by them, and where they are found.
import * as z from 'zod';
import { type CloudProviderId, cloudProviderIds } from '../../catalog/provider.ts';
import type { ListedConnection, ProviderCatalog } from '../../catalog/provider-catalog.ts';
import { type HttpClient, SettingsUnreadable } from '../../platform/ports.ts';
import { providerCatalog, providers } from '../../providers/catalog.ts';
import type { RateFacts } from '../../providers/kit/descriptor.ts';
import type { ProviderCredentials } from '../../providers/kit/vendor.ts';
import { calledUrls } from '../../providers/origins.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';

export interface ConfiguredProvider {
  provider: CloudProviderId;
  env: Environment;
  credentials: ProviderCredentials;
  /** Where a request to a vendor's real address goes. */
  addressOf(url: string): string;
  client: HttpClient;
  /** What the vendor lets this deployment ask; the built-in one has none. */
  limits: readonly RateFacts[];
  /** So many people are disconnected within an hour because the vendor says that their consent has ended; it is not believed of more. */
  disconnectsPerHour: number;
}

export const usualDisconnectsPerHour = 100;

const Limit = z.object({
  requests: z.int().positive(),
  seconds: z.int().positive(),
  per: z.enum(['deployment', 'person']),
});

/**
 * `origins` sends what is meant for one of the vendor's hosts elsewhere: `{"https://open.coros.com": "https://opentest.coros.com"}`.
 * `limits` takes the place of those that the vendor gives to everybody. With 0 `disconnects_per_hour` nobody is disconnected by the vendor's word.
 */
const Settings = z.looseObject({
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  origins: z.record(z.url(), z.url()).optional(),
  limits: z.array(Limit).min(1).optional(),
  disconnects_per_hour: z.int().min(0).default(usualDisconnectsPerHour),
});

export class Misconfigured extends Error {}

/** Undefined when this deployment has no credentials for it. Sandbox devices always have the built-in vendor. */
export async function configuredProvider(
  deps: Pick<Deps, 'providerSettings' | 'keyring' | 'egress'>,
  provider: CloudProviderId,
  env: Environment,
): Promise<ConfiguredProvider | undefined> {
  if (env === 'sandbox')
    return {
      provider,
      env,
      credentials: sandboxCredentials(deps, provider),
      addressOf: (url) => url,
      client: deps.egress.sandbox,
      limits: [],
      disconnectsPerHour: usualDisconnectsPerHour,
    };
  const given = await settingsOf(deps, provider);
  if (given === undefined || given === null) return undefined;
  const settings = Settings.safeParse(given);
  if (!settings.success)
    throw new Misconfigured(`The settings of ${provider} cannot be used. ${z.prettifyError(settings.error)}`);
  const { client_id: clientId, client_secret: clientSecret, origins = {}, limits, ...others } = settings.data;
  const { disconnects_per_hour: disconnectsPerHour, ...rest } = others;
  const more = Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
  const missing = providers[provider].credentials.filter(({ name, required }) => required && !more[name]);
  if (missing.length > 0)
    throw new Misconfigured(`The settings of ${provider} lack ${missing.map(({ name }) => name).join(', ')}.`);
  const targets = Object.values(origins).map((url) => new URL(url).origin);
  return {
    provider,
    env,
    credentials: { clientId, clientSecret, more },
    addressOf: (url) => elsewhere(origins, url),
    client:
      targets.length === 0
        ? deps.egress.providers
        : deps.egress.named([...targets, ...calledUrls(providers[provider])]),
    limits: limits ?? providers[provider].limits,
    disconnectsPerHour,
  };
}

async function settingsOf({ providerSettings }: Pick<Deps, 'providerSettings'>, provider: CloudProviderId) {
  try {
    return await providerSettings.of(provider);
  } catch (error) {
    if (error instanceof SettingsUnreadable) throw new Misconfigured(error.message);
    throw error;
  }
}

function elsewhere(origins: Readonly<Record<string, string>>, url: string): string {
  const { origin } = new URL(url);
  const target = origins[origin];
  return target === undefined ? url : target.replace(/\/$/, '') + url.slice(origin.length);
}

/** What the built-in vendor expects of us; it derives the same. */
export const sandboxCredentials = (
  { keyring }: Pick<Deps, 'keyring'>,
  provider: CloudProviderId,
): ProviderCredentials => ({
  clientId: `sandbox-${provider}`,
  clientSecret: keyring.hash('sandbox-client', provider),
  more: Object.fromEntries(
    providers[provider].credentials.map(({ name }) => [name, keyring.hash('sandbox-client', `${provider} ${name}`)]),
  ),
});

/** Of that connection. What is misconfigured is not available; whoever tries to connect it is told so, and the log says why. */
export async function availableProviders(
  deps: Pick<Deps, 'providerSettings' | 'keyring' | 'egress' | 'log'>,
  env: Environment,
  connection: ListedConnection,
): Promise<ProviderCatalog> {
  const available = new Set<string>();
  const asked = connection === 'sdk' ? [] : cloudProviderIds;
  for (const provider of asked) if (await isAvailable(deps, provider, env)) available.add(provider);
  const catalog = providerCatalog((id) => providers[id].connection === 'sdk' || available.has(id));
  return { providers: catalog.providers.filter((each) => connection === 'all' || each.connection === connection) };
}

export async function isAvailable(
  deps: Pick<Deps, 'providerSettings' | 'keyring' | 'egress' | 'log'>,
  provider: CloudProviderId,
  env: Environment,
): Promise<boolean> {
  if (env === 'sandbox') return true;
  try {
    return (await configuredProvider(deps, provider, env)) !== undefined;
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    deps.log('error', 'a provider is misconfigured', { provider, message: error.message });
    return false;
  }
}
