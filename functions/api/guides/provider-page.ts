// The page on how to set up one provider, built from its descriptor and setup guide, with the URLs
// of this deployment.

import { categoryNames } from '../../../shared/catalog/metric-table.ts';
import { listCategories, sampleRow } from '../../../shared/catalog/metrics.ts';
import type { ProviderId } from '../../../shared/catalog/provider.ts';
import { defaultDisconnectsPerHour } from '../../../shared/connections/client/configured-provider.ts';
import { escapeHtml, type Markup, markup } from '../../../shared/platform/markup.ts';
import { settingNames } from '../../../shared/platform/setting-names.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';
import type { CloudDescriptor, ProviderDescriptor, SdkDescriptor } from '../../../shared/providers/kit/descriptor.ts';
import { getProviderLabel } from '../../../shared/providers/provider-label.ts';
import { getSetupGuide } from '../../../shared/providers/setup-guides.ts';
import type { DocsPage } from '../docs-kit/docs-page.ts';
import { buildGuide } from './build-guide.ts';
import {
  connectLinkText,
  describeArrival,
  describeHistory,
  describePkce,
  describeRateLimits,
  describeTokenInvalidation,
  deviceTypeNames,
} from './provider-text.ts';

const cachedPages = new Map<ProviderId, DocsPage>();

/** Builds each page once and fills in the deployment's base URL last. */
export function renderProviderPage(id: ProviderId, baseUrl: string): DocsPage {
  const page = cachedPages.get(id) ?? buildPage(providerDescriptors[id]);
  cachedPages.set(id, page);
  return { ...page, html: page.html.replaceAll('{base_url}', () => escapeHtml(baseUrl)) };
}

const buildPage = (provider: ProviderDescriptor): DocsPage =>
  buildGuide({
    path: `/docs/providers/${provider.id}`,
    title: `${getProviderLabel(provider.id)} · Daybook`,
    html: 'provider.html',
    styles: ['article.css', 'providers.css'],
    fill: {
      name: escapeHtml(getProviderLabel(provider.id)),
      content: (provider.connection === 'cloud' ? renderCloudContent(provider) : renderSdkContent(provider)).html,
    },
  });

const renderSdkContent = (
  provider: SdkDescriptor,
): Markup => markup`<p>${provider.name} runs on the phone, so there is nothing to register and there are no credentials: your app reads it and uploads what changed. Open a session with
<code>POST /v1/users/{id}/sdk-sessions</code>; <a href="../../docs#openSdkSession">the reference</a> describes the operations.</p>
${renderProperties([
  ['Device', deviceTypeNames[provider.deviceType]],
  ['New data', describeArrival(provider)],
  ['History', describeHistory(provider)],
])}
${renderMetrics(provider)}`;

function renderCloudContent(provider: CloudDescriptor): Markup {
  const { portal, steps, unconfirmed } = getSetupGuide(provider.id);
  return markup`<p>${deviceTypeNames[provider.deviceType]}. ${describeBrand(provider)}${describeArrival(provider)} The first sync reaches back ${describeHistory(provider)}. ${connectLinkText}</p>
<h2 id="register">Register with ${provider.name}</h2>
<p>At <a href="${portal}" rel="noreferrer">${portal}</a>:</p>
<ol>${steps.map((step) => markup`<li>${highlightUrls(step)}</li>`)}</ol>
${renderProperties([
  ['Redirect URL', markup`<code>{base_url}/connect/callback/${provider.id}</code>`],
  ['Push URL', renderPushUrl(provider)],
  [
    'Scopes',
    provider.scopes.length === 0 ? 'None in the authorization URL.' : markup`<code>${provider.scopes.join(' ')}</code>`,
  ],
  ['PKCE', describePkce(provider)],
  ['Limits', describeRateLimits(provider).join('; ')],
])}
${renderCredentials(provider)}
<h2 id="treatment">When a connection ends</h2>
<p>${describeTokenInvalidation(provider)} Its data then stays until the device is deleted, and a <code>device.disconnected</code> event notifies your backend.</p>
${
  unconfirmed.length > 0 &&
  markup`<h2 id="unconfirmed">What is unconfirmed</h2>
<p>${provider.name}’s documentation is silent or contradicts itself on these points. This is how Daybook handles each of them.</p>
<ul>${unconfirmed.map((point) => markup`<li>${highlightUrls(point)}</li>`)}</ul>`
}
${renderMetrics(provider)}`;
}

const describeBrand = ({ name, deviceBrand }: CloudDescriptor): string =>
  deviceBrand === undefined ? '' : `${deviceBrand} devices connect through ${name}. `;

function renderPushUrl({ id, name, push }: CloudDescriptor): Markup | string {
  if (!push) return `None: ${name} does not send pushes.`;
  const url = markup`<code>{base_url}/v1/providers/${id}/push</code>`;
  return push.hasSecretPath
    ? markup`<code>{base_url}/v1/providers/${id}/push/{secret}</code>. ${name} does not sign its pushes, so the URL contains a secret. Print it with <code>npm run -s daybook -- providers show ${id}</code> and do not share it with anyone else.`
    : url;
}

function renderCredentials({ id, name, credentials: extraCredentials }: CloudDescriptor): Markup {
  const required = extraCredentials.filter((each) => each.required).map((each) => [each.name, '…'] as const);
  const example = { client_id: '…', client_secret: '…', ...Object.fromEntries(required) };
  return markup`<h2 id="credentials">Add the credentials to this deployment</h2>
<dl class="properties"><dt><code>client_id</code></dt><dd>As ${name} shows it.</dd><dt><code>client_secret</code></dt><dd>As ${name} shows it.</dd>${extraCredentials.map(
    (each) =>
      markup`<dt><code>${each.name}</code></dt><dd>${each.required ? '' : 'Optional. '}${each.description}</dd>`,
  )}</dl>
<h3>On a laptop</h3>
<pre tabindex="0"><code>export ${settingNames.provider(id)}='${JSON.stringify(example)}'
npm start</code></pre>
<h3>On AWS</h3>
<p>One secret in Secrets Manager contains the credentials of all providers, by id; the stack’s output <code>ProvidersSecretId</code> is its id. New values take effect within minutes, without a deployment.</p>
<pre tabindex="0"><code>aws secretsmanager put-secret-value --secret-id "$ProvidersSecretId" \\
  --secret-string '${JSON.stringify({ [id]: example })}'</code></pre>
<p>Put all your providers into that one object, because it replaces the previous value. <code>GET /v1/providers</code> with a live key then lists ${name}. To send requests elsewhere, such as to a test system of ${name}, add
<code>"origins": {"https://their.host": "https://another.host"}</code>. If ${name} gives you higher or lower limits than the default, add
<code>"limits": [{"requests": 1000, "seconds": 900, "per": "deployment"}]</code> (or <code>"per": "person"</code>), which replaces the limits above.</p>
<p>If ${name} reports within an hour that the consents of more than ${defaultDisconnectsPerHour} users have ended, Daybook does not act on further reports: these users stay connected, Daybook checks again every hour, and an alarm alerts you. <code>"disconnects_per_hour": 1000</code> allows more, <code>0</code> none at all.</p>`;
}

const renderProperties = (rows: readonly (readonly [name: string, value: Markup | string])[]): Markup =>
  markup`<dl class="properties">${rows.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;

const renderMetrics = ({
  name,
  metrics,
}: ProviderDescriptor): Markup => markup`<h2 id="metrics">What ${name} reports</h2>
${renderProperties(
  listCategories(metrics).map((category) => [
    categoryNames[category],
    metrics
      .filter((id) => sampleRow(id).category === category)
      .map((id) => sampleRow(id).displayName)
      .join(', '),
  ]),
)}`;

/** Marks URLs in a sentence as code, without the punctuation that follows them. */
const highlightUrls = (text: string): Markup[] =>
  text
    .split(/((?:\{base_url\}|https?:\/\/)[^\s,;]*[^\s,;.:)])/)
    .map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`));
