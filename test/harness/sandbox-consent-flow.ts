// A sandbox user who links a wearable in a browser without JavaScript: from the link to the
// provider's page and back.
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { CookieJar } from './browser.ts';
import type { System } from './system.ts';

export interface ConsentFlow {
  device: string;
  /** The provider's page. */
  page: string;
  /** The URL to which the provider redirected the user. */
  callback: string;
  jar: CookieJar;
}

const browse = async (jar: CookieJar, url: string, init: RequestInit = {}) => {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { accept: 'text/html', ...jar.headers() },
    ...init,
  });
  jar.store(response.headers);
  return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
};

export async function consentInBrowser(
  system: System,
  token: string,
  user: string,
  provider: CloudProviderId,
  fill: Record<string, string> = {},
): Promise<ConsentFlow> {
  const response = await system.call('POST', `/v1/users/${user}/devices`, { token, body: { provider } });
  if (response.status !== 200) throw new Error(`expected a link, got ${response.status}: ${response.text}`);
  const jar = new CookieJar();
  const { location } = await browse(jar, response.body.auth_url);
  const page = await browse(jar, location);
  if (page.status !== 200) throw new Error(`the consent page of ${provider} returned ${page.status}: ${page.text}`);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? '';
  const form = {
    decision: 'allow',
    persona: 'average',
    time_zone: field('time_zone'),
    account_number: field('account_number'),
    ...fill,
  };
  const submitted = await browse(jar, location, { method: 'POST', body: new URLSearchParams(form) });
  return { device: response.body.id, page: page.text, callback: submitted.location, jar };
}

/** The page on which the user ends up. */
export const followCallback = ({ callback, jar }: ConsentFlow) => browse(jar, callback);
