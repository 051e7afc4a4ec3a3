// A person in the sandbox who links a wearable with a browser that has no scripts: from the link over the vendor's page and back.
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { CookieJar } from './browser.ts';
import type { System } from './system.ts';

export interface Walk {
  device: string;
  /** Of the vendor's page. */
  page: string;
  /** Where the vendor sent them back to. */
  callback: string;
  jar: CookieJar;
}

const seen = async (jar: CookieJar, url: string, init: RequestInit = {}) => {
  const told = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html', ...jar.headers() }, ...init });
  jar.keep(told.headers);
  return { status: told.status, location: told.headers.get('location') ?? '', text: await told.text() };
};

export async function walkToConsent(
  system: System,
  token: string,
  user: string,
  provider: CloudProviderId,
  fill: Record<string, string> = {},
): Promise<Walk> {
  const asked = await system.call('POST', `/v1/users/${user}/devices`, { token, body: { provider } });
  if (asked.status !== 200) throw new Error(`expected a link, got ${asked.status}: ${asked.text}`);
  const jar = new CookieJar();
  const { location } = await seen(jar, asked.body.auth_url);
  const page = await seen(jar, location);
  if (page.status !== 200) throw new Error(`the consent page of ${provider} said ${page.status}: ${page.text}`);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? '';
  const form = {
    decision: 'allow',
    persona: 'average',
    time_zone: field('time_zone'),
    account_number: field('account_number'),
    ...fill,
  };
  const answer = await seen(jar, location, { method: 'POST', body: new URLSearchParams(form) });
  return { device: asked.body.id, page: page.text, callback: answer.location, jar };
}

/** The page the person ends on. */
export const walkBack = ({ callback, jar }: Walk) => seen(jar, callback);
