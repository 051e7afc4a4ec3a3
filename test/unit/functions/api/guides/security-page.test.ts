import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { colleague } from '../../../../../functions/api/callers/colleague.ts';
import { renderDataProtectionPage } from '../../../../../functions/api/guides/data-protection-page.ts';
import { renderErasurePage } from '../../../../../functions/api/guides/erasure-page.ts';
import { renderSecurityPage } from '../../../../../functions/api/guides/security-page.ts';
import type { FunctionSpec } from '../../../../../infra/function-spec.ts';
import { functions } from '../../../../../infra/functions.ts';
import { apiKeyLifetimeMs } from '../../../../../shared/accounts/api-key.ts';
import { userTokenLifetimeMs } from '../../../../../shared/accounts/token-issuer.ts';
import { auditRetentionMs } from '../../../../../shared/audit/audit-rows.ts';
import { recentSignInMs } from '../../../../../shared/console/admit-session.ts';
import { sessionHours } from '../../../../../shared/console/open-console-session.ts';
import { signInLinkMinutes } from '../../../../../shared/console/sign-in-link.ts';
import { maxLinksPerHour } from '../../../../../shared/console/sign-in-mail-count.ts';
import { browserHeaders } from '../../../../../shared/http/response-headers.ts';
import { vaultContext } from '../../../../../shared/platform/aws/vault.ts';
import {
  addressRateLimit,
  consoleRateLimit,
  rateLimit,
  userTokenRateLimit,
} from '../../../../../shared/platform/rate-limit.ts';
import { Profile } from '../../../../../shared/users/profile.ts';
import { checkScriptlessPage } from '../docs-kit/page-checks.ts';

const root = new URL('../../../../../', import.meta.url);
const toText = ({ html }: { html: string }): string =>
  html
    .replaceAll(/<style>[\s\S]*<\/style>/g, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ');
const security = toText(renderSecurityPage());
const dataProtection = toText(renderDataProtectionPage());

describe('the security page', () => {
  test('names files and tests that exist', () => {
    const { html } = renderSecurityPage();
    const paths = [...html.matchAll(/<code>((?:shared|infra|test|functions)\/[^<]+)<\/code>/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  test('states the lifetimes of keys and tokens', () => {
    expect(security).toContain(`${apiKeyLifetimeMs / 86_400_000} days`);
    expect(userTokenLifetimeMs).toBe(3_600_000);
    expect(security).toContain('1 hour');
  });

  test('states the rate limits', () => {
    expect(security).toContain(
      `${rateLimit.perSecond} requests a second for each API key, ${userTokenRateLimit.perSecond} for each user’s tokens, ${addressRateLimit.perSecond} for each address`,
    );
  });

  test('states how the console signs colleagues in, and for how long', () => {
    expect(security).toContain(`One colleague, once ${signInLinkMinutes} minutes`);
    expect(security).toContain(`One colleague’s browser; what the role permits ${sessionHours} hours`);
    expect(security).toContain(
      `at most ${maxLinksPerHour.fromOneSource} links that were requested from one network, and ${maxLinksPerHour.fromOthers} `,
    );
    expect(security).toContain(`used within the last ${recentSignInMs / 60_000} minutes`);
    expect(security).toContain(`${consoleRateLimit.perSecond} for each session of the console`);
    expect(security).toContain(colleague.securityScheme.name);
  });

  test('and the pages on data say for how long the audit trail is kept', () => {
    const days = `${auditRetentionMs / 86_400_000} days`;
    expect(security).toContain(`for ${days}: acts of API keys, of colleagues, of the command line and of the system`);
    expect(dataProtection).toContain(`Accountability${days}`);
    expect(toText(renderErasurePage())).toContain(`contain their e-mail address and are kept for ${days}`);
  });

  test('names every function that calls out, seals or opens provider tokens', () => {
    const named = (isMeant: (spec: FunctionSpec) => boolean) =>
      Object.entries<FunctionSpec>(functions).flatMap(([name, spec]) => (isMeant(spec) ? [name] : []));
    expect(named(({ calls }) => calls?.includes('providers') === true)).toEqual(['connect', 'sync', 'seed-sandbox']);
    expect(named(({ calls }) => calls?.includes('webhooks') === true)).toEqual(['webhooks', 'deliver']);
    expect(security).toContain('connect, sync and seed-sandbox call providers, and deliver and webhooks');
    expect(named(({ providerSecrets }) => providerSecrets?.includes('new_tokens') === true)).toEqual(['connect']);
    expect(security).toContain(`purpose=${vaultContext.purpose}`);
  });

  test('says that the function that reads data writes none', () => {
    expect(functions.data.table).toEqual(['GetItem', 'UpdateItem', 'BatchGetItem', 'Query']);
  });

  test('states for how long browsers keep to HTTPS', () => {
    expect(browserHeaders['Strict-Transport-Security']).toBe(`max-age=${365 * 86_400}`);
  });
});

test('the data protection page names every field of a profile', () => {
  const fields = Object.keys(Profile.shape).filter((name) => !name.startsWith('sandbox_'));
  expect(fields).toEqual(['date_of_birth', 'sex', 'height_cm', 'weight_kg']);
  expect(dataProtection).toContain('Date of birth, sex, height, weight; all optional');
});

describe('/docs/security', () => checkScriptlessPage(renderSecurityPage(), '/docs/security'));
describe('/docs/data-protection', () => checkScriptlessPage(renderDataProtectionPage(), '/docs/data-protection'));
